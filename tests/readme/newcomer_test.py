#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Goal: from nothing to a leader, a verified webhook and the console in less than ten commands.
Method: the README's own, in a clean folder and home: newcomer_test.py PROGRAM SOURCE
"""
import json, os, re, sys, unittest

from blocks import blocks_of
from newcomer_place import NewcomerPlace, SERVER, be_alone, get

PROGRAM, SOURCE = (os.path.abspath(word) for word in sys.argv[1:3])


class NewcomerTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with open(os.path.join(SOURCE, "README.md")) as file:
            cls.readme = file.read()
        cls.blocks = [block for block in blocks_of(cls.readme) if block.mark in ("start", "newcomer")]
        cls.place = NewcomerPlace(PROGRAM, SOURCE)
        cls.addClassCleanup(cls.place.close)
        cls.place.start_server(cls.script("start"))
        # It waits for what it left in the background: the receiver.
        cls.place.start("set -eu\n" + cls.script("newcomer") + "touch typed\nwait\n", "newcomer")
        if not cls.place.until(lambda: os.path.exists(cls.place.path("typed"))):
            raise AssertionError(cls.place.said("newcomer"))

    @classmethod
    def script(cls, mark):
        return "".join(block.commands for block in cls.blocks if block.mark == mark)

    def test_less_than_ten_commands_are_typed(self):
        typed = [statement for block in self.blocks for statement in block.statements()]
        self.assertEqual([block.mark for block in self.blocks], ["start", "newcomer"])
        self.assertLess(len(typed) + 2, 10, "with getting the source and opening the console: " +
                        "\n".join(typed))

    def test_a_leader_is_elected(self):
        states = [json.loads(line) for line in self.place.read("newcomer.out").splitlines()
                  if line.startswith("{")]
        self.assertEqual([state["status"] for state in states], ["leader"])
        self.assertEqual(states[0]["leader"]["candidate_id"], "worker-1")
        self.assertGreater(states[0]["leader"]["term"], 0)

    def test_the_receiver_has_verified_an_event(self):
        # It prints only what has a good signature.
        def took():
            return re.search(r"took election\.leader_elected election:\S+ worker-1",
                             self.place.read("newcomer.out"))
        self.assertTrue(self.place.until(took), self.place.said("newcomer"))

    def test_the_console_opens_with_the_key_that_is_named(self):
        self.assertIn(SERVER + "/admin/", self.readme)
        status, page = get("/admin/")
        self.assertEqual(status, 200)
        self.assertRegex(page, r"<title>[^<]*OctoStore[^<]*</title>")
        key = re.search(r"ADMIN_KEY=(\S+)", self.script("start")).group(1)
        self.assertIn(f"the key `{key}`", self.readme.replace("\n", " "))
        for given, expected in ((key, 200), (key + "x", 401)):
            self.assertEqual(get("/admin/status", self.bearer(given))[0], expected)

    @staticmethod
    def bearer(key):
        # As the console does.
        return {"authorization": "Bearer admin:" + key}

    def test_the_reference_opens(self):
        self.assertEqual(get("/docs")[0], 200)


if __name__ == "__main__":
    be_alone()
    unittest.main(argv=sys.argv[:1], verbosity=2)
