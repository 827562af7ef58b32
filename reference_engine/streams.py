"""Random numbers of the compiled playouts: independent streams, exactly uniform integers.

Each playout has a stream of its own, set from the seed and the playout's number by splitmix64, so
that results depend neither on the order of work nor on processes.
"""

from numba import int64, uint64

from reference_engine.compiled import compiled


@compiled
def _mix(state):
    """Advance a splitmix64 state; return (state, 64 random bits)."""
    state = uint64(state + uint64(0x9E3779B97F4A7C15))
    z = state
    z = uint64((z ^ (z >> uint64(30))) * uint64(0xBF58476D1CE4E5B9))
    z = uint64((z ^ (z >> uint64(27))) * uint64(0x94D049BB133111EB))
    return state, uint64(z ^ (z >> uint64(31)))


@compiled
def seed_stream(rng, seed, game):
    """Set ``rng`` (4 words) to the independent stream number ``game`` of ``seed``."""
    state = uint64(seed)
    state, word = _mix(state)
    state = uint64(word ^ uint64(game) * uint64(0xD1342543DE82EF95))
    for i in range(4):
        state, rng[i] = _mix(state)


@compiled
def seed_words(seed, game):
    """Return the 128 bits a lock-step game's generator starts from."""
    state, word = _mix(uint64(seed))
    state, low = _mix(uint64(word ^ uint64(game) * uint64(0xDA942042E4DD58B5)))
    _, high = _mix(state)
    return low, high


@compiled
def next64(rng):
    """Return 64 random bits: xoshiro256++ of Blackman and Vigna."""
    total = uint64(rng[0] + rng[3])
    result = uint64(((total << uint64(23)) | (total >> uint64(41))) + rng[0])
    t = uint64(rng[1] << uint64(17))
    rng[2] ^= rng[0]
    rng[3] ^= rng[1]
    rng[1] ^= rng[2]
    rng[0] ^= rng[3]
    rng[2] ^= t
    rng[3] = (rng[3] << uint64(45)) | (rng[3] >> uint64(19))
    return result


@compiled
def below(rng, n):
    """Return an exactly uniform integer in [0, n), n < 2**32: Lemire's multiplication with rejection."""
    bound = uint64(n)
    product = uint64((next64(rng) >> uint64(32)) * bound)
    low = product & uint64(0xFFFFFFFF)
    if low < bound:
        threshold = uint64((uint64(0x100000000) - bound) % bound)
        while low < threshold:
            product = uint64((next64(rng) >> uint64(32)) * bound)
            low = product & uint64(0xFFFFFFFF)
    return int64(product >> uint64(32))
