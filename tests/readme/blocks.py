# SPDX-License-Identifier: MIT
"""The code blocks of a Markdown text, and what marks them."""
import re
from dataclasses import dataclass, field

EXPECTATION = "#> "
SHELLS = ("sh", "bash", "shell", "console", "")


@dataclass
class Block:
    mark: str  # `start`, `newcomer`, `test`, or nothing
    language: str
    line: int
    commands: str = ""
    expected: list = field(default_factory=list)  # what stands behind `#> `, in order

    def is_shell(self):
        return self.language in SHELLS

    def statements(self):
        """The commands, each one text: lines that go on in the next one are joined."""
        whole, statements = "", []
        for line in self.commands.splitlines():
            whole += line.removesuffix("\\") + " "
            if not line.endswith(("\\", "|", "&&", "||")):
                statements.append(" ".join(whole.split()))
                whole = ""
        return [statement for statement in statements if statement]


def blocks_of(text):
    """A mark is a comment in the last line that is not empty before the block."""
    blocks, mark, inside = [], "", None
    for number, line in enumerate(text.splitlines(), 1):
        if inside and line.strip() == "```":
            blocks.append(inside)
            inside, mark = None, ""
        elif inside and line.startswith(EXPECTATION):
            inside.expected.append(line.removeprefix(EXPECTATION))
        elif inside:
            inside.commands += line + "\n"
        elif line.strip().startswith("```"):
            inside = Block(mark, line.strip().strip("`"), number)
        elif line.strip():
            found = re.fullmatch(r"<!-- (\w+) -->", line.strip())
            mark = found.group(1) if found else ""
    if inside:
        raise ValueError(f"the block in line {inside.line} does not end")
    return blocks


def tables_of(text, heading):
    """The rows of each table whose first heading is `heading`, as lists of cells."""
    rows, inside = [], False
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if not line.startswith("|"):
            inside = False
        elif inside and not set(cells[0]) <= set("-: "):
            rows.append(cells)
        elif not inside:
            inside = cells[0] == heading
    return rows
