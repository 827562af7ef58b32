"""The words of a verdict and the terms of a report, explained: their meaning, and what to do."""

from collections.abc import Mapping
from typing import Final

GLOSSARY: Final[Mapping[str, str]] = {
    "PASS": (
        "Every check passed, every mean and distribution was shown to lie inside the level's tolerance, "
        "and every known mistake was excluded. Exit status 0. A bot that is off by a tolerance passes with "
        "probability 0.001 at most; a difference smaller than a tolerance may remain."
    ),
    "FAIL": (
        "The bot breaks a rule. This takes one counter-example, or statistical evidence that an innocent "
        "bot shows with probability 0.0001 at most. A requirement is FAIL if one of its own checks failed, "
        "and nothing that this check presupposes is broken. Exit status 1."
    ),
    "NON-STRICT": (
        "The bot follows another reading of a rule than the strict one, and the text allows it; or it "
        "differs from the reference by less than every tolerance. It is accepted: exit status 0, or 1 "
        "with --strict. `refbot explain` of the requirement has the open question and what is accepted."
    ),
    "INCONCLUSIVE": (
        "The bot was not shown to conform and not refuted: too little was asked, scores are printed with "
        "too few digits, or a check presupposes something that is broken. The reason says which. Exit "
        "status 3."
    ),
    "NOT-APPLICABLE": (
        "The check needs something that the bot does not offer, such as an optional command or a board size."
    ),
    "START-FAILED": ("The program could not be started, or ended before its first answer. Exit status 4."),
    "NOT-GTP": ("The output of the program is not the Go Text Protocol. Exit status 4."),
    "PROTOCOL": ("The bot speaks GTP, but then its replies could no longer be told apart. Exit status 4."),
    "REFUSED": (
        "The bot answers every instance of a command that every engine must support with an error. Nothing "
        "could be judged. Exit status 4."
    ),
    "TIMEOUT": (
        "The bot did not answer within the time limit of a command. For slow machines use --time-scale. "
        "Exit status 4."
    ),
    "CRASH": ("The bot's process ended before it had answered. Exit status 4."),
    "ERROR": ("A fault of refbot or of its fixtures, not of the bot; please report it. Exit status 5."),
    "not judged": (
        "A check failed, but a more basic check that it presupposes failed too. It would have failed "
        "anyway, and says nothing about its own requirement. Mend the basic fault, then certify again."
    ),
    "follows from": (
        "The simulation of a known mistake of another requirement shows this same counter-example. So the "
        "requirement is not marked FAIL; its counter-example is still shown."
    ),
    "excluded": (
        "A known mistake was shown to be absent: a bot with exactly this mistake would have been convicted "
        "with probability 0.999. A mistake that is not excluded may be present."
    ),
    "not excluded": (
        "A known mistake that this run could not tell from conformance: a bot with the mistake could have "
        "given the same answers. A PASS leaves no mistake of this kind. The usual causes are a number of "
        "playouts at which it does not show, a board size that the bot refuses, or a case that was not "
        "asked; the reason says which."
    ),
    "Bayes factor": (
        "How many times more probable the observations are under one explanation than under another. "
        "Documents of suite version 1 held its logarithm to base 10: 2 means a hundred times, 4 ten "
        "thousand times. Today each explanation has a probability instead."
    ),
    "interval": (
        "The range in which a bot's mean lies. Its error holds for all looks together, whatever the "
        "playouts are like, if genmoves are independent. It is printed as value +- half its width."
    ),
    "odd one": (
        "Of three or more compared bots, one that differs from what the others agree on. Its requirement "
        "is the rule that it most likely breaks. If only two bots are compared, neither is the odd one."
    ),
    "detectable": (
        "The smallest shift of a mean that this amount of evidence would have convicted with probability "
        "0.95. A smaller shift may have been missed."
    ),
    "drift": (
        "A difference between a mean and the mean of an earlier run of the same bot. The new mean may still "
        "be inside the tolerance of the reference. `refbot regress` looks for drift."
    ),
    "baseline": (
        "An earlier run, made by `refbot certify --baseline`, with which `refbot regress` compares a new one."
    ),
    "genmove": ("One move asked of the bot, with its playouts; statistics count genmoves."),
    "playout": (
        "One random game from the position to its end. ref-nodes counts its moves, ref-score its wins."
    ),
    "exact": ("A check with one right answer, to the last digit: one wrong answer convicts."),
    "statistical": ("A check of means or of chosen moves: it convicts by evidence and passes by intervals."),
    "e-value": (
        "The evidence against a hypothesis, as the gain of a bet that it is false. The e-value of an "
        "innocent bot reaches 10,000 with probability 0.0001 at most, however often one looks. 1 is no "
        "evidence; a value below 1 speaks for the hypothesis."
    ),
    "probability": (
        "The probability of an explanation among all that fit every observation, an unlisted mistake "
        "included, if all were equally likely before. It has no error rate, and the conviction does not "
        "depend on it."
    ),
    "tolerance": (
        "The greatest accepted distance of a mean, or of the distribution of chosen moves, from the "
        "reference at a level. The whole interval must lie inside. docs/statistics.md lists the tolerances."
    ),
    "deviation": (
        "A known mistake: a named change of the rules that refbot can simulate. See `refbot list deviations`."
    ),
    "layer": (
        "Checks presuppose each other in layers: framing, set-ups, answers, reports, points, ends, draws, "
        "scores, choices. Only the lowest layer in which a check failed is judged."
    ),
}
"""By word or term; the words of a verdict are spelled as in the verdict."""
