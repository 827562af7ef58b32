"""The text of the files that a bot's project needs for refbot."""

from typing import TYPE_CHECKING, Final

from harness.bots.bot import Bot

if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness.report.project import Project

_BOTS: Final = """\
# How refbot starts the bot.  More settings (limits, environment, sandbox): docs/bots.md of refbot.
[{name}]
command = {command}
{playouts}"""
_PYTEST: Final = """\
# `pytest` runs the certificate and the .tst files of the bot besides the project's own tests.
[pytest]
refbot_bot = {name}
refbot_bots = bots.toml
# refbot_known = known-failures.toml
"""
_GITHUB: Final = """\
# Every change: does the bot still answer, and is it still the reference bot?
name: refbot
on: [push, pull_request]

jobs:
  refbot:
    runs-on: ubuntu-latest
    timeout-minutes: 30
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-python@v5
        with:
          python-version: "3.11"
          cache: pip
      # No index has refbot: a wheel that is kept in the repository, or "refbot @ git+https://ADDRESS".
      - run: pip install "{install}"
      - uses: actions/cache@v4
        with:
          path: ~/.cache/refbot
          key: refbot-${{{{ runner.os }}}}
{build}      - run: refbot check {name} --bots bots.toml --out run/check
      - run: refbot certify {name} --bots bots.toml --out run/certify
      - if: always()
        run: refbot report run/certify --format markdown >> "$GITHUB_STEP_SUMMARY"
      - if: always()
        uses: actions/upload-artifact@v4
        with:
          name: refbot
          path: run
"""
_GITLAB: Final = """\
# Every change: does the bot still answer, and is it still the reference bot?  Include it from .gitlab-ci.yml:
#   include: refbot.gitlab-ci.yml
refbot:
  image: python:3.11
  timeout: 30 minutes
  variables:
    XDG_CACHE_HOME: $CI_PROJECT_DIR/.cache
  cache:
    key: refbot
    paths:
      - .cache
  script:
    # No index has refbot: a wheel that is kept in the repository, or "refbot @ git+https://ADDRESS".
    - pip install "{install}"
{build}    - refbot check {name} --bots bots.toml --out run/check
    - refbot certify {name} --bots bots.toml --out run/certify
  artifacts:
    when: always
    paths:
      - run
    reports:
      junit: run/certify/junit.xml
"""


def project_files(bot: Bot, project: "Project") -> "Mapping[str, str]":
    """Return the texts of the files to be written, by their paths in the project.

    Args:
        bot: the bot with its command.
        project: the facts found in the project's folder.
    """
    playouts = "" if bot.fixed_playouts is None else f"playouts = {bot.fixed_playouts}\n"
    files = {"bots.toml": _BOTS.format(name=bot.name, command=_quoted(bot.command), playouts=playouts)}
    if not project.has_pytest_settings:
        files["pytest.ini"] = _PYTEST.format(name=bot.name)
    if project.is_gitlab:
        build = f"    - {project.build}\n" if project.build else ""
        text, place = _GITLAB, "refbot.gitlab-ci.yml"
    else:
        build = f"      - run: {project.build}\n" if project.build else ""
        text, place = _GITHUB, ".github/workflows/refbot.yml"
    files[place] = text.format(name=bot.name, install=project.install, build=build)
    return files


def _quoted(text: str) -> str:
    """Return a text as a string of TOML."""
    return f"'{text}'" if "'" not in text else '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
