"""The results of regression files as text: for people, and in the exact words of GNU Go's script.

All text of a bot is escaped.
"""

from collections.abc import Iterator, Sequence

from rich.console import Console
from rich.text import Text

from harness.bots.wire import printable, quote
from harness.render.live import Live
from harness.tst.result import FileResult, Tested, TstOutcome, first_line, total

_STYLES = {
    TstOutcome.PASSED: "green",
    TstOutcome.UNEXPECTED_PASS: "bold yellow",
    TstOutcome.KNOWN_FAILURE: "yellow",
    TstOutcome.FAILED: "bold red",
    TstOutcome.IGNORED: "cyan",
    TstOutcome.UNREADABLE: "bold red",
    TstOutcome.NOT_RUN: "magenta",
}
_LONG = 10_000
"""Greatest number of characters of an answer in GNU Go's wording."""


def render_file(result: FileResult, *, verbose: bool) -> Iterator[Text]:
    """Yield the lines on one file: the unexpected results (all results, if verbose), then the counts."""
    name = printable(result.file)
    for note in result.notes:
        yield Text(f"{name}: {printable(note)}", style="yellow")
    entries = [(test.line, _test(name, test)) for test in result.tests if verbose or _is_odd(test)]
    entries += [
        (
            refused.line,
            Text.assemble(
                f"{name} line {refused.line}: ",
                ("refused", "bold red"),
                f"  {printable(refused.command)}: {quote(refused.answer)}"
                + ("; tests after it may mean nothing" if refused.is_set_up else ""),
            ),
        )
        for refused in result.refused
        if verbose or refused.is_set_up
    ]
    entries += [
        (
            stray.line,
            Text.assemble(
                f"{name} line {stray.line}: ",
                (TstOutcome.UNREADABLE, _STYLES[TstOutcome.UNREADABLE]),
                f"  {printable(stray.text)}: {printable(stray.reason)}",
            ),
        )
        for stray in result.unreadable
    ]
    yield from (text for _, text in sorted(entries, key=lambda entry: entry[0]))
    if result.stop is not None:
        where = f" line {result.stop.line}" if result.stop.line else ""
        yield Text.assemble(
            f"{name}{where}: ", (result.stop.word, "bold magenta"), f"  {printable(result.stop.reason, 600)}"
        )
    yield Text(f"{name}: {_counts([result])}, {result.elapsed_s:.1f} s", style="bold")


def render_total(results: Sequence[FileResult]) -> Text:
    """Return the counts of all files."""
    return Text(f"{len(results)} files: {_counts(results)}", style="bold")


def gnu_lines(result: FileResult) -> Iterator[str]:
    """Yield the lines that GNU Go's eval.sh prints on one file."""
    seen = [test for test in result.tests if test.outcome not in (TstOutcome.NOT_RUN, TstOutcome.UNREADABLE)]
    expected = sum(test.has_pattern for test in result.tests) + len(result.unreadable)
    if expected != len(seen):
        last = f"Last succesful test was {seen[-1].number}" if seen else "Crash in first test"
        yield f"Possible crash!: expected {expected} results, got {len(seen)}. {last}."
    yield from (_gnu_test(test) for test in seen)
    passes = sum(test.outcome in (TstOutcome.PASSED, TstOutcome.UNEXPECTED_PASS) for test in seen)
    judged = sum(test.outcome is not TstOutcome.IGNORED for test in seen)
    good = sum(test.outcome is TstOutcome.UNEXPECTED_PASS for test in seen)
    bad = sum(test.outcome is TstOutcome.FAILED for test in seen)
    yield (
        f"Summary: {passes}/{judged} passes. {good} unexpected {'pass' if good == 1 else 'passes'}, "
        f"{bad} unexpected {'failure' if bad == 1 else 'failures'}"
    )


class TstProgress(Live):
    """The progress display of regression tests."""

    def __init__(self, console: Console, count: int, *, quiet: bool) -> None:
        """``count`` is the number of tests of all files."""
        super().__init__(console, quiet=quiet)
        self._count = count

    def see(self, done: int, where: str) -> None:
        """Show the number of tests done in all files."""
        text = f"{done} of {self._count} tests; {printable(where, 60)}"
        self.show(text, done, self._count)


def expected_text(test: Tested) -> str:
    """Return the expected answer of a test, in words."""
    if not test.has_pattern:
        return "any answer but an error"
    negated = test.expected.strip().startswith("!")
    pattern = printable(test.expected.strip().removeprefix("!"))
    return f"{'anything but ' if negated else ''}[{pattern}]"


def answer_text(test: Tested) -> str:
    """Return the bot's answer in quotes, marked if it is an error."""
    return f"the error {quote(test.answer)}" if test.is_error else quote(test.answer)


def _is_odd(test: Tested) -> bool:
    odd = (TstOutcome.UNEXPECTED_PASS, TstOutcome.FAILED, TstOutcome.UNREADABLE)
    return test.outcome in odd or bool(test.notes)


def _test(name: str, test: Tested) -> Text:
    text = f"  {printable(test.command)}"
    if test.outcome not in (TstOutcome.NOT_RUN, TstOutcome.UNREADABLE):
        text += f": expected {expected_text(test)}, got {answer_text(test)}"
    for note in test.notes:
        text += f" ({printable(note)})"
    return Text.assemble(f"{name}:{test.number}: ", (test.outcome, _STYLES[test.outcome]), text)


def _counts(results: Sequence[FileResult]) -> str:
    counts = total(results)
    words = {
        TstOutcome.PASSED: "passed",
        TstOutcome.KNOWN_FAILURE: "failed as known",
        TstOutcome.UNEXPECTED_PASS: "PASSED though known to fail",
        TstOutcome.FAILED: "FAILED",
        TstOutcome.IGNORED: "not judged (&)",
        TstOutcome.UNREADABLE: "UNREADABLE",
        TstOutcome.NOT_RUN: "not run",
    }
    parts = [f"{counts[outcome]} {word}" for outcome, word in words.items() if counts[outcome]]
    if strays := sum(len(result.unreadable) for result in results):
        parts.append(f"{strays} line{'s' if strays != 1 else ''} that cannot be read")
    if refused := sum(len(result.refused) for result in results):
        parts.append(f"{refused} other command{'s' if refused != 1 else ''} refused")
    number = counts.total()
    return f"{number} test{'s' if number != 1 else ''}: {', '.join(parts) or 'nothing'}"


def _gnu_test(test: Tested) -> str:
    answer = printable(first_line(test.answer), _LONG)
    match test.outcome:
        case TstOutcome.IGNORED:
            return f"{test.number} {answer}"
        case TstOutcome.KNOWN_FAILURE | TstOutcome.FAILED:
            return (
                f"{test.number} {test.outcome}: Correct '{printable(test.expected, _LONG)}', got '{answer}'"
            )
        case _:
            return f"{test.number} {test.outcome}"
