"""Random numbers of the compiled playouts."""

import numpy as np
import pytest
from scipy.stats import chisquare

from reference_engine.streams import below, next64, seed_stream

SEED = 20081013
ALPHA = 1e-6


def stream(seed: int, number: int) -> np.ndarray:
    """Return a stream's state at its beginning."""
    rng = np.zeros(4, np.uint64)
    seed_stream(rng, np.uint64(seed), number)
    return rng


@pytest.mark.parametrize("n", [2, 3, 7, 10, 16, 81, 361, 1000])
def test_below_is_uniform(n: int) -> None:
    """Every integer below n is drawn as often as any other: chi-square, false failure 1 in 10**6."""
    rng = stream(SEED, n)
    draws = np.array([below(rng, n) for _ in range(200_000)])
    assert draws.min() >= 0
    assert draws.max() < n
    assert chisquare(np.bincount(draws, minlength=n)).pvalue > ALPHA


@pytest.mark.parametrize("n", [3 * 2**30, 2**32 - 1, 2**31 + 1])
def test_below_is_uniform_where_rejection_matters(n: int) -> None:
    """Neither thirds nor remainders below a large n are favoured: chi-squares, false failure 1 in 10**6."""
    rng = stream(SEED, n)
    draws = np.array([below(rng, n) for _ in range(100_000)])
    assert draws.min() >= 0
    assert draws.max() < n
    for kinds in (draws % 3, draws * 3 // n):
        assert chisquare(np.bincount(kinds, minlength=3)).pvalue > ALPHA / 2


def test_below_one_is_zero() -> None:
    """There is one integer below 1."""
    rng = stream(SEED, 0)
    assert {0} == {below(rng, 1) for _ in range(1000)}


@pytest.mark.parametrize("lag", [1, 2, 3, 10])
def test_draws_are_independent(lag: int) -> None:
    """Pairs of draws some steps apart are uniform: chi-square, false failure 1 in 10**6."""
    rng = stream(SEED, 1)
    draws = np.array([below(rng, 13) for _ in range(100_000)])
    assert (
        chisquare(np.bincount(13 * draws[: -lag : lag + 1] + draws[lag :: lag + 1], minlength=169)).pvalue
        > ALPHA
    )


def test_first_draws_of_streams_are_uniform() -> None:
    """The first two draws of successive streams are uniform: chi-square, false failure 1 in 10**6."""
    pairs = []
    for number in range(50_000):
        rng = stream(SEED, number)
        pairs.append(9 * below(rng, 9) + below(rng, 9))
    assert chisquare(np.bincount(pairs, minlength=81)).pvalue > ALPHA


def test_neighbouring_streams_are_independent() -> None:
    """First draws of neighbouring streams and of seeds are uniform pairs: chi-squares, false failure 1e-6."""
    firsts = [below(stream(SEED, number), 11) for number in range(60_000)]
    pairs = np.array(firsts[::2]) * 11 + np.array(firsts[1::2])
    assert chisquare(np.bincount(pairs, minlength=121)).pvalue > ALPHA / 2
    firsts = [below(stream(seed, 0), 11) for seed in range(60_000)]
    pairs = np.array(firsts[::2]) * 11 + np.array(firsts[1::2])
    assert chisquare(np.bincount(pairs, minlength=121)).pvalue > ALPHA / 2


def test_bits_are_even() -> None:
    """Each of 64 bits is set half the time: 64 chi-squares, together false failure 1 in 10**6."""
    rng = stream(SEED, 2)
    words = np.array([next64(rng) for _ in range(100_000)], np.uint64)
    for bit in range(64):
        ones = int(((words >> np.uint64(bit)) & np.uint64(1)).sum())
        assert chisquare([ones, len(words) - ones]).pvalue > ALPHA / 64


def test_next64_is_xoshiro256plusplus() -> None:
    """The generator gives the first outputs of the authors' code from the state 1, 2, 3, 4."""
    rng = np.array([1, 2, 3, 4], np.uint64)
    assert [int(next64(rng)) for _ in range(4)] == [41943041, 58720359, 3588806011781223, 3591011842654386]


def test_streams_differ() -> None:
    """No two of a thousand streams of two seeds start alike, and the same stream always does."""
    states = {tuple(stream(seed, number).tolist()) for seed in (0, 1) for number in range(1000)}
    assert len(states) == 2000
    assert stream(5, 6).tolist() == stream(5, 6).tolist()
