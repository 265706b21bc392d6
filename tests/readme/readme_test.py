#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Goal: what the README tells people to type works, prints what it says, and nothing escapes that.
Method: its marked blocks run in one shell, in order, against a server started as it says; the others
are named here, each with the reason why it cannot run: readme_test.py PROGRAM SOURCE
"""
import os, re, subprocess, sys, unittest

from blocks import blocks_of, tables_of
from newcomer_place import NewcomerPlace, be_alone

PROGRAM, SOURCE = (os.path.abspath(word) for word in sys.argv[1:3])
MARKS = ("start", "newcomer", "test")
# The first line of each block that does not run here, and why.
EXCUSED = {
    "scripts/package.sh": "needs root and systemd; tests/packaging/deb_test.sh does the same",
    "curl -fsSL https://mirror.example.com/octostore/install.sh | sudo sh":
        "needs a network and root; tests/packaging/package_test.sh does it with a mirror in a folder",
}
LINES_MAX = 260


def read(name):
    with open(os.path.join(SOURCE, name)) as file:
        return file.read()


class ReadmeTest(unittest.TestCase):
    readme = read("README.md")
    blocks = [block for block in blocks_of(readme) if block.is_shell()]

    def test_its_commands_do_what_it_says(self):
        place = NewcomerPlace(PROGRAM, SOURCE)
        self.addCleanup(place.close)
        place.start_server("".join(block.commands for block in self.blocks if block.mark == "start"))
        typed = [block for block in self.blocks if block.mark in ("newcomer", "test")]
        # A failure ends the shell.
        shell = place.start("set -eu -o pipefail\n" + "".join(
            block.commands + f"echo; echo '@@ {number}'\n" for number, block in enumerate(typed)),
            "shell")
        status = shell.wait(timeout=900)
        printed = place.read("shell.out")
        self.assertEqual(status, 0, place.said("shell"))
        for number, block in enumerate(typed):
            text, _, printed = printed.partition(f"\n@@ {number}\n")
            for expected in block.expected:
                self.assertIn(expected, text, block.commands)
                text = text[text.index(expected) + len(expected):]

    def test_every_shell_block_runs_or_is_excused(self):
        excused = [block.commands.splitlines()[0] for block in self.blocks if block.mark not in MARKS]
        self.assertEqual(sorted(excused), sorted(EXCUSED), "unmarked blocks, and those that may be")
        self.assertGreaterEqual(sum(block.mark == "test" for block in self.blocks), 5)

    def test_every_shell_block_is_bash(self):
        for block in self.blocks:
            parsed = subprocess.run(["bash", "-n"], input=block.commands, text=True,
                                    capture_output=True)
            self.assertEqual(parsed.returncode, 0, f"line {block.line}: {parsed.stderr}")

    def test_the_keys_it_names_have_the_defaults_it_gives(self):
        sample = subprocess.run([PROGRAM, "config", "sample"], capture_output=True, text=True,
                                check=True).stdout
        defaults = dict(re.findall(r"^#(\S+) = ?(.*)$", sample, re.MULTILINE))
        rows = tables_of(self.readme, "key")
        self.assertEqual(len(rows), 10)
        for key, default, _ in rows:
            self.assertEqual(defaults.get(key.strip("`")), default.strip("`"), key)

    def test_what_it_points_to_is_there(self):
        targets = re.findall(r"\]\(([^)#]+)\)", self.readme)
        self.assertGreater(len(targets), 10)
        for target in targets:
            self.assertTrue(os.path.exists(os.path.join(SOURCE, target)), target)

    def test_it_is_short(self):
        lines = self.readme.splitlines()
        self.assertLessEqual(len(lines), LINES_MAX)
        for line in lines:
            self.assertTrue(len(line) <= 100 or line.startswith("|"), line)


class BlocksTest(unittest.TestCase):
    def test_a_block_has_the_mark_that_stands_before_it(self):
        found = blocks_of("<!-- test -->\n\n```sh\na\n#> x\nb\n```\n```sh\nc\n```\n"
                          "<!-- test -->\ntext\n```sh\nd\n```\n```json\n{}\n```\n")
        self.assertEqual([block.mark for block in found], ["test", "", "", ""])
        self.assertEqual(found[0].commands, "a\nb\n")
        self.assertEqual(found[0].expected, ["x"])
        self.assertEqual([block.is_shell() for block in found], [True, True, True, False])

    def test_lines_that_go_on_are_one_command(self):
        block = blocks_of("```sh\na \\\n  b\nc |\nd && e\n```\n")[0]
        self.assertEqual(block.statements(), ["a b", "c | d && e"])

    def test_a_block_without_an_end_is_a_mistake(self):
        self.assertRaises(ValueError, blocks_of, "```sh\na\n")

    def test_tables_are_found_by_their_first_heading(self):
        self.assertEqual(tables_of("| key | b |\n|---|---|\n| `x` | 1 |\n\n| other |\n|---|\n| y |\n",
                                   "key"), [["`x`", "1"]])


if __name__ == "__main__":
    be_alone()
    unittest.main(argv=sys.argv[:1], verbosity=2)
