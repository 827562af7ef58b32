"""The words of a verdict, explained: what each says, what it does not say, and what to do.  Texts only."""

from collections.abc import Mapping
from typing import Final

GLOSSARY: Final[Mapping[str, str]] = {
    "PASS": (
        "Every check passed, every mean and distribution was shown to lie inside the level's tolerance, "
        "and every known mistake was shown not to be there. Exit status 0. A bot that is off by a "
        "tolerance passes with probability 0.001 at most; what is smaller than a tolerance may be there."
    ),
    "FAIL": (
        "The bot breaks a rule. One counter-example is enough, or statistical evidence that an innocent "
        "bot shows with probability 0.0001 at most. Of a requirement: a check of its own failed that "
        "stands on nothing broken. Exit status 1."
    ),
    "NON-STRICT": (
        "The bot reads a rule otherwise than the strict reading, and the text leaves room for that; or it "
        "differs from the reference by less than every tolerance. It is accepted: exit status 0, or 1 "
        "with --strict. `refbot explain` of the requirement has the open question and what is accepted."
    ),
    "INCONCLUSIVE": (
        "Neither shown to conform nor refuted: too little was asked, scores are printed with too few "
        "digits, or what a check stands on is broken. The reason says which. Exit status 3."
    ),
    "NOT-APPLICABLE": (
        "The check needs something that the bot does not offer, such as an optional command or a board size."
    ),
    "START-FAILED": (
        "The program could not be started, or ended before it answered anything. Exit status 4."
    ),
    "NOT-GTP": ("What came back is no Go Text Protocol. Exit status 4."),
    "PROTOCOL": ("The bot speaks GTP, and then its replies could not be told apart any more. Exit status 4."),
    "REFUSED": (
        "The bot answers a command that every engine must carry out with an error, each time. Nothing "
        "could be judged. Exit status 4."
    ),
    "TIMEOUT": (
        "The bot did not answer within the time limit of a command. Slow machines: --time-scale. Exit "
        "status 4."
    ),
    "CRASH": ("The bot ended while it was being asked. Exit status 4."),
    "ERROR": ("A fault of refbot or of its fixtures, never of the bot; please report it. Exit status 5."),
    "not judged": (
        "A check failed, but stands on another one that failed and is more basic: it would have failed "
        "anyway, and says nothing of its own requirement. Mend what is beneath first, and certify again."
    ),
    "follows from": (
        "A known mistake of another requirement was simulated and brings forth this very counter-example. "
        "The requirement is not marked FAIL; its counter-example stays in view."
    ),
    "excluded": (
        "A known mistake was shown not to be there: a bot with exactly this mistake would have been seen "
        "with probability 0.999. Not excluded: it may still be there."
    ),
    "not excluded": (
        "A known mistake that this run could not have told from a conforming bot: a bot with it could have "
        "given these very answers. A PASS leaves none. The usual causes are a number of playouts that shows "
        "it nowhere, a board size the bot refuses, or a case that was not asked; the reason says which."
    ),
    "Bayes factor": (
        "How many times likelier one explanation makes what was seen than another does. Documents of suite "
        "version 1 held its logarithm to base 10: 2 is a hundred times, 4 ten thousand times. Today each "
        "explanation has a probability instead."
    ),
    "interval": (
        "Where a bot's mean lies, with an error that holds at all looks together, whatever the playouts do, "
        "as long as genmoves are independent. It is printed as value +- half its width."
    ),
    "odd one": (
        "Of three bots or more that were compared, one that differs from what the others agree on. Its "
        "requirement is the rule it most likely breaks. Of two bots that differ, none is the odd one."
    ),
    "detectable": (
        "The smallest shift of a mean that as much evidence as this run has would have convicted with "
        "probability 0.95. A smaller one may have been missed."
    ),
    "drift": (
        "A mean that is another one than in an earlier run of the same bot, though it may still be inside "
        "the tolerance of the reference. `refbot regress` looks for it."
    ),
    "baseline": (
        "An earlier run, by `refbot certify --baseline`, that `refbot regress` holds a new one against."
    ),
    "genmove": ("One move asked of the bot, with the playouts it takes; the unit of which statistics count."),
    "playout": (
        "One random game from the position to its end. ref-nodes counts the moves, ref-score the wins."
    ),
    "exact": ("A check with one right answer, to the digit: one wrong answer convicts."),
    "statistical": ("A check of means or of chosen moves: it convicts by evidence and passes by intervals."),
    "e-value": (
        "Evidence against a hypothesis as the gain of a bet on its being false: an innocent bot ever "
        "reaches 10,000 with probability 0.0001 at most, however often one looks. 1 is no evidence; below "
        "1 speaks for the hypothesis."
    ),
    "probability": (
        "Of an explanation, beside all others that bring forth everything seen, one that nobody listed "
        "among them, if all were equally likely before. It claims no error rate; the conviction does not "
        "rest on it."
    ),
    "tolerance": (
        "How far a mean, or the distribution of chosen moves, may be from the reference's at a level. The "
        "whole interval must lie inside. docs/statistics.md has them."
    ),
    "deviation": (
        "A known mistake: a named change of the rules, which refbot can simulate. `refbot list deviations`."
    ),
    "layer": (
        "Checks stand on each other: framing, set-ups, answers, reports, points, ends, draws, scores, "
        "choices. The lowest in which one failed is judged."
    ),
}
"""By word or term; those of a verdict are written as a verdict has them."""
