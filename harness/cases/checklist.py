"""The checklist: the clauses ``refbot check`` asks for, by section, as data.  Knows nothing of bots."""

from collections.abc import Iterator, Mapping
from typing import Final, Literal

import msgspec

from harness.cases.case import Case, CaseFile, Step
from harness.errors import FixtureError

Observed = Literal["", "start", "sizes", "output", "end"]
"""What a clause looks at besides the answers to its script: how the first process started; which board sizes
were accepted; lines on standard output that are no response; how the bot ends, and what it leaves behind."""

REQUIRED: Final = (
    "protocol_version",
    "name",
    "version",
    "known_command",
    "list_commands",
    "quit",
    "boardsize",
    "clear_board",
    "komi",
    "play",
    "genmove",
)
"""The commands that every engine has (GTP 2, section 6.1)."""


class CheckStep(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One clause: what it demands, where it stands, and the script that asks for it."""

    id: str
    """Section of the text and a number within it, ``6.3.4/2``; permanent."""
    name: str
    """Name of the clause and of the case with its script."""
    title: str
    clause: str
    """In our own words."""
    requirement: str = ""
    """The requirement of the reference bot that says the same, if one does."""
    looks_at: Observed = ""
    handshake: str = ""
    """The first command that this clause is about, sent while the bot is asked who it is."""
    first_of: str = ""
    """The command that this clause tries first: clauses whose scripts send it depend on this one."""
    cases: list[str] = []
    """Cases of certificates that are asked as well."""
    private: bool = False
    """Asked only of a bot with both private commands."""
    steps: list[Step] = []
    """The script; its case has the name of the clause."""
    set_up: tuple[str, ...] = ("boardsize", "clear_board")
    """Commands that set the board up before the script."""
    size: int = 9
    sizes: tuple[int, int] = (2, 25)
    """The least and the greatest board that the script is meant for."""
    parity: Literal["", "odd", "even"] = ""
    """Whether it is meant for odd or even boards alone."""
    board: Literal["usual", "least", "greatest"] = "usual"
    """Which of the boards that the bot accepts is taken: the one nearest to ``size``, or an extreme one."""
    komi: float = 0.0
    setup: str = ""
    """Drawing of stones; on another board its middle row and column are repeated or left out."""
    alone: bool = False
    """Whether the process is replaced afterwards: the script may leave replies or a board nobody knows."""
    whole: bool = False
    """Whether text outside a response, or a second one, breaks this clause and not that of the output."""
    files: dict[str, str] = {}
    """Files written for the script into the folder ``{folder}``."""
    presupposes: list[str] = []
    """Names of other clauses, without which a failure of this one says nothing."""

    @property
    def all_cases(self) -> list[str]:
        """The names of the cases it asks, its own script first."""
        return [self.name, *self.cases] if self.steps else self.cases

    @property
    def section_of_text(self) -> str:
        """Where the clause stands."""
        return self.id.partition("/")[0]

    def case(self) -> Case | None:
        """Return the case that asks the script, if there is one.

        Raises:
            FixtureError: the script contradicts itself.
        """
        if not self.steps:
            return None
        return Case(
            self.name,
            CaseFile(
                requirement=self.requirement or self.id,
                about=self.clause,
                size=self.size,
                komi=self.komi,
                setup=self.setup,
                playouts=1,
                steps=self.steps,
                private=self.private,
                set_up=self.set_up,
                sizes=self.sizes,
                parity=self.parity,
                board=self.board,
                alone=self.alone,
                files=self.files,
                is_of_check=True,
            ),
        )


class Section(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Clauses that belong together; one file."""

    name: str
    title: str
    clause: list[CheckStep]


class Checklist(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All sections in their order."""

    section: list[Section] = []

    def __iter__(self) -> Iterator[CheckStep]:
        return (clause for section in self.section for clause in section.clause)

    def section_of(self, name: str) -> Section:
        """Return the section that a clause is in."""
        return next(s for s in self.section if any(clause.name == name for clause in s.clause))

    def own_cases(self) -> dict[str, Case]:
        """Return the cases that the clauses bring themselves.

        Raises:
            FixtureError: a script contradicts itself, or two clauses share a name or an id.
        """
        found: dict[str, Case] = {}
        ids: set[str] = set()
        for clause in self:
            if clause.name in found or clause.id in ids:
                raise FixtureError(f"two clauses are called {clause.name} or have the id {clause.id}")
            ids.add(clause.id)
            if (case := clause.case()) is not None:
                found[clause.name] = case
        return found

    def chosen(self, cases: Mapping[str, Case]) -> dict[str, Case]:
        """Return the cases the clauses ask, in the order they are asked.

        Raises:
            FixtureError: a clause names a case or a clause that there is not, or another one's case.
        """
        found: dict[str, Case] = {}
        names = {clause.name for clause in self}
        for clause in self:
            if unknown := [name for name in clause.presupposes if name not in names]:
                raise FixtureError(f"clause {clause.name} presupposes {unknown[0]}, which is no clause")
            for name in clause.all_cases:
                if name not in cases:
                    raise FixtureError(f"clause {clause.name} asks {name}, which is no case")
                if name in found:
                    raise FixtureError(f"two clauses ask {name}; the second is {clause.name}")
                found[name] = cases[name].private if clause.private else cases[name]
        return found
