"""Runs as Markdown, for a pull request or a step summary of GitHub: the most important part first.

A page is never longer than ``LIMIT``: parts that do not fit are left out at the end, and the page says so.
"""

from collections.abc import Iterable, Iterator, Sequence
from importlib import resources
from itertools import groupby
from typing import Final

from harness.judging.checked import count_of
from harness.judging.verdict import Check, RequirementVerdict, StepVerdict, Verdict
from harness.records.evidence import Broken
from harness.render.badge import badge_line
from harness.render.counterexample import check_text, facts, step_text
from harness.render.gfm import block, code, details, pipe_table, plain
from harness.render.limits import limits_of, spent
from harness.render.suspects import diagnosis_title, probability_text
from harness.render.terminal import again, first_failure
from harness.report.judged_run import JudgedRun, names_of
from harness.report.run_report import command_to_repeat
from harness.word import SEVERITY, Word

LIMIT: Final = 65_000
"""Greatest size in bytes: a comment on GitHub holds 65,536 characters, a step summary 1,048,576 bytes."""
_MARKS: Final = {
    Word.PASS: "\N{WHITE HEAVY CHECK MARK}",
    Word.NON_STRICT: "\N{WARNING SIGN}\N{VARIATION SELECTOR-16}",
    Word.FAIL: "\N{CROSS MARK}",
    Word.INCONCLUSIVE: "\N{WHITE QUESTION MARK ORNAMENT}",
    Word.NOT_APPLICABLE: "\N{HEAVY MINUS SIGN}",
}
_BROKEN: Final = "\N{NO ENTRY}"
_SENTENCE: Final = 600
_CELL: Final = 160
_LINE: Final = 400
_LINES: Final = 80
"""Greatest number of lines of one counter-example."""
_SUMMARY_SHARE: Final = 0.4
"""Greatest share of the page for the table of all runs."""
_LEFT_OUT: Final = "\n*The rest does not fit here; other formats of `refbot report` hold all of it.*\n"


def render_markdown(judged_runs: Sequence[JudgedRun]) -> bytes:
    """Return the page: of several runs first a table, then each run."""
    named = sorted(
        zip(names_of(judged_runs), judged_runs, strict=True),
        key=lambda pair: SEVERITY.index(Word(pair[1].verdict.verdict)),
    )
    page = _Page()
    if len(named) > 1:
        _add_summary(page, named)
    for who, judged_run in named:
        for part in _run(who, judged_run):
            page.add(part)
    page.add(details("What the words mean, and what is assumed", meaning()))
    return page.text.encode()


def meaning() -> str:
    """Return what the words of a verdict mean and what is assumed, as a list."""
    text = resources.files("harness.render").joinpath("pages", "meaning.txt").read_text("utf-8")
    return "".join(f"- {plain(line)}\n" for line in text.splitlines())


class _Page:
    """A page that accepts parts until one does not fit, and none after that."""

    def __init__(self) -> None:
        self.text = ""
        self._size = 0
        self._is_full = False

    def add(self, part: str, share: float = 1.0) -> bool:
        """Add a whole part or nothing; ``share`` is the share of the page that may be used after it."""
        size = len(part.encode()) + 1
        if self._is_full:
            return False
        if self._size + size > share * (LIMIT - len(_LEFT_OUT)):
            if share == 1.0:
                self._is_full = True
                self.text += _LEFT_OUT
            return False
        self.text += ("\n" if self.text else "") + part
        self._size += size
        return True


def _add_summary(page: _Page, named: Sequence[tuple[str, JudgedRun]]) -> None:
    rows = [
        (code(who, 60), _word(judged_run.verdict.verdict), code(judged_run.verdict.reason, _CELL))
        for who, judged_run in named
    ]
    shown = len(rows)
    while shown and not page.add(_table(("bot", "verdict", "because"), rows[:shown]), _SUMMARY_SHARE):
        shown = shown * 3 // 4
    if shown < len(rows):
        page.add(f"*and {len(rows) - shown} more*\n")


def _run(who: str, judged_run: JudgedRun) -> Iterator[str]:
    """Yield the parts of a run, the most important first."""
    verdict = judged_run.verdict
    yield f"## {_word(verdict.verdict)}: {code(who)}\n"
    yield f"{code(verdict.reason, _SENTENCE)}\n"
    if judged_run.broken is not None:
        yield _last_words(judged_run.broken)
    if verdict.steps:
        yield from _steps(judged_run)
    else:
        yield from _requirements(judged_run)
    yield _reproduce(judged_run)
    yield details("What this run could and could not see", _limits(verdict))
    yield details(
        "What it was judged by", _table(("", ""), [(k, code(v, _LINE)) for k, v in facts(judged_run).items()])
    )


def _word(text: str) -> str:
    return f"{_MARKS.get(Word(text), _BROKEN)} {text}"


def _table(names: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    return "\n".join(pipe_table(names, rows)) + "\n"


def _last_words(broken: Broken) -> str:
    lines = [line for line in broken.stderr_tail.splitlines() if line.strip()][-10:]
    return "Last lines of its standard error:\n\n" + block(lines) if lines else ""


def _shown(text: str) -> str:
    lines = text.split("\n")
    more = [f"({len(lines) - _LINES} more lines)"] if len(lines) > _LINES else []
    return block([*lines[:_LINES], *more], limit=_LINE)


def _steps(judged_run: JudgedRun) -> Iterator[str]:
    steps = judged_run.verdict.steps
    wrong = [step for step in steps if step.verdict not in (Word.PASS, Word.NOT_APPLICABLE)]
    yield _sections(steps)
    yield details("A line for a README", block([badge_line(judged_run.verdict)], limit=_SENTENCE))
    for step in [step for step in wrong if step.faults][:1]:
        yield f"### {plain(step.clause)} {plain(step.title)}\n\n{_shown(step_text(judged_run, step))}"
    yield from _folded(
        "Clauses", "clauses", [_step_row(s) for s in wrong], [_step_row(s) for s in steps if s not in wrong]
    )
    for step in [step for step in wrong if step.faults][1:]:
        title = f"{step.clause} {step.name}: {step.verdict}"
        yield details(title, _shown(step_text(judged_run, step)))


def _sections(steps: list[StepVerdict]) -> str:
    rows = [
        (plain(title), count_of(list(found)))
        for title, found in groupby(steps, key=lambda step: step.section)
    ]
    return _table(("section", "clauses"), rows)


def _step_row(step: StepVerdict) -> tuple[str, ...]:
    return step.clause, plain(step.title), _word(step.verdict), _reason(step.reason)


def _requirements(judged_run: JudgedRun) -> Iterator[str]:
    verdict = judged_run.verdict
    first = first_failure(verdict)
    if first is not None:
        yield _failure(judged_run, first)
    if verdict.diagnosis:
        yield _diagnosis(verdict)
    passed = [r for r in verdict.requirements if r.verdict == Word.PASS]
    others = [r for r in verdict.requirements if r.verdict != Word.PASS]
    others.sort(key=lambda r: r.verdict != Word.FAIL)
    yield from _folded(
        "Requirements",
        "requirements",
        [_row(judged_run, r) for r in others],
        [_row(judged_run, r) for r in passed],
    )
    failed = [c for r in others for c in r.checks if c.verdict == Word.FAIL and c is not first]
    if failed:
        rows = [(code(c.case), _reason(c.reason)) for c in failed]
        yield details(f"{len(failed)} more checks that failed", _table(("case", "because"), rows))


def _row(judged_run: JudgedRun, r: RequirementVerdict) -> tuple[str, ...]:
    clause = plain(judged_run.suite.requirements[r.id].clause)
    asked = sum(c.verdict != Word.NOT_APPLICABLE for c in r.checks)
    return r.id, _word(r.verdict), clause, f"{asked}", _reason(r.reason)


def _folded(
    title: str, what: str, others: list[tuple[str, ...]], passed: list[tuple[str, ...]]
) -> Iterator[str]:
    """Yield a table of the rows that did not pass, and a folded table of those that did."""
    names = (
        ("", "clause", "verdict", "because")
        if what == "clauses"
        else ("", "verdict", "clause", "cases", "because")
    )
    if others:
        yield f"### {title}\n\n{_table(names, others)}"
    if passed:
        yield details(
            f"{len(passed)} {what} passed or not offered"
            if what == "clauses"
            else f"{len(passed)} {what} passed",
            _table(names, passed),
        )


def _reason(text: str) -> str:
    return code(text, _CELL) if text else ""


def _failure(judged_run: JudgedRun, check: Check) -> str:
    case = judged_run.suite.cases[check.case]
    clause = plain(judged_run.suite.requirements[case.requirement].clause)
    return f"### {case.requirement}: {clause}\n\n{_shown(check_text(judged_run, check))}"


def _diagnosis(verdict: Verdict) -> str:
    rows = [
        (
            s.requirement,
            code(s.deviation),
            plain(s.about),
            plain(s.refuted) or plain(probability_text(s.probability)),
        )
        for s in verdict.diagnosis
    ]
    rows.append(("", "*none listed*", "a deviation nobody listed", plain(probability_text(verdict.unlisted))))
    title = diagnosis_title(verdict)
    return f"### {title}\n\n" + _table(("", "deviation", "what it does", "probability"), rows)


def _limits(verdict: Verdict) -> str:
    return "\n".join(f"- {plain(line)}" for line in (spent(verdict), *limits_of(verdict)))


def _reproduce(judged_run: JudgedRun) -> str:
    verdict = judged_run.verdict
    first = first_failure(verdict)
    lines = ["refbot verify RUN    # computes this verdict again from the run's folder"]
    options = [] if verdict.level == "check" else [f"--level {verdict.level}"]
    if first is not None and not verdict.steps:
        lines.append(again("certify", verdict.bot, f"--case {first.case}", *options))
    lines.append(again(command_to_repeat(verdict.command), verdict.bot, *options))
    return f"### Again\n\n{block(lines, 'sh', 1200)}{_settings(judged_run)}"


def _settings(judged_run: JudgedRun) -> str:
    """Return the other settings that the bot was started with; the environment's values stay secret."""
    settings = judged_run.evidence.header.settings
    env = settings.get("env")
    shown = [f"the environment variables {', '.join(code(name) for name in sorted(env))}"] if env else []
    shown += [
        f"{name} {code(judged_run.secrets.hide(str(settings[name])))}"
        for name in ("cwd", "startup")
        if settings.get(name)
    ]
    return f"\nThe bot was started with {' and '.join(shown)}.\n" if shown else ""
