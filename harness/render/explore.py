"""The results of a search by random dialogues, as text."""

from rich.console import Group, RenderableType
from rich.text import Text

from harness.cases.suite import Suite
from harness.render.terminal import dialogue_lines
from harness.runs.explore import Coverage, Discovery


def render_discovery(suite: Suite, found: Discovery, number: int, again: str) -> RenderableType:
    """Return one finding: the clause, the dialogue, the board, and how to see it again."""
    parts: list[RenderableType] = []
    if found.finding is None:
        assert found.broken is not None  # noqa: S101 - one of the two is there
        parts.append(Text(f"{number}. {found.broken.word}: {found.broken.sentence}", style="bold"))
    else:
        names = found.finding.candidates or (found.finding.requirement,)
        result = f"expected {found.finding.expected}; got {found.finding.observed}"
        parts.append(Text(f"{number}. {' or '.join(names)}: {result}", style="bold"))
        parts += [Text(f"   {name}  {suite.requirements[name].clause.strip()}") for name in names]
    exchanges = [*found.unit.exchanges]
    if found.broken is not None and found.broken.command:
        exchanges.append((found.broken.command, ""))
    lines = "\n".join(dialogue_lines(exchanges)).splitlines()
    parts.append(Text("\n".join(f"   {line}" for line in lines)))
    shown = f"shown again {found.confirmed} of 2 times"
    kind = "; no line can be left out" if found.unit.is_minimal else ""
    parts.append(Text(f"   {shown}{kind}\n   again: {again}\n"))
    return Group(*parts)


def render_coverage(coverage: Coverage) -> Text:
    """Return the numbers of dialogues, commands, positions and board sizes that were covered."""
    commands = ", ".join(f"{count:,} {name}" for name, count in coverage.commands.most_common())
    sizes = ", ".join(f"{size}x{size}" for size in sorted(coverage.sizes))
    lines = [
        f"{coverage.dialogues:,} dialogues, {coverage.commands.total():,} commands: {commands}",
        f"boards {sizes or 'none'}; {len(coverage.positions):,} positions",
        f"longest chain {coverage.longest_chain}, most captured at once {coverage.most_captured}",
        f"{coverage.judged_genmoves:,} genmoves judged with their figures",
    ]
    if coverage.repeated:
        lines.append(f"{coverage.repeated:,} more dialogues failed in the same way as one above")
    return Text("\n".join(lines))


def sentence(coverage: Coverage, found: int) -> str:
    """Return the progress of a search, on one line."""
    return (
        f"{coverage.dialogues:,} dialogues, {coverage.commands.total():,} commands, "
        f"{len(coverage.positions):,} positions, {found} found"
    )
