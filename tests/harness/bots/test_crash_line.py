"""What a crashed program says of itself is found, whatever its language."""

import pytest

from harness.bots.crash_line import crash_line

PRINTED = {
    "python": (
        (
            'Traceback (most recent call last):\n  File "p.py", line 3, in <module>\n    {}["board"]\n'
            "KeyError: 'board'\n\nDuring handling of it, another exception occurred:\n\n"
            'Traceback (most recent call last):\n  File "p.py", line 5\nValueError: no board\nbye\n'
        ),
        "ValueError: no board",
    ),
    "node": (
        (
            "/b/a.js:2\nrl.on('line',l=>{ x.foo(); });\n                    ^\n\n"
            "TypeError: Cannot read properties of undefined (reading 'foo')\n"
            "    at Interface.<anonymous> (/b/a.js:2:65)\n    at Interface.emit (node:events:517:28)\n\n"
            "Node.js v18.19.0\n"
        ),
        "TypeError: Cannot read properties of undefined (reading 'foo')",
    ),
    "java": (
        (
            'Exception in thread "main" java.lang.RuntimeException: board\n\tat A.main(A.java:2)\n'
            "Caused by: java.lang.ArrayIndexOutOfBoundsException: Index 5 out of bounds for length 2\n"
            "\t... 1 more\n"
        ),
        "Caused by: java.lang.ArrayIndexOutOfBoundsException: Index 5 out of bounds for length 2",
    ),
    "go": (
        (
            "panic: runtime error: index out of range [5] with length 3\n\ngoroutine 1 [running]:\n"
            "main.main()\n\t/b/main.go:8 +0x1d\nexit status 2\n"
        ),
        "panic: runtime error: index out of range [5] with length 3",
    ),
    "rust": (
        (
            "\nthread 'main' (24365) panicked at r.rs:2:154:\n"
            "index out of bounds: the len is 1 but the index is 4\n"
            "note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace\n"
        ),
        (
            "thread 'main' (24365) panicked at r.rs:2:154: "
            "index out of bounds: the len is 1 but the index is 4"
        ),
    ),
    "old rust": (
        "thread 'main' panicked at 'no board', r.rs:2:5\nnote: run with `RUST_BACKTRACE=1`\n",
        "thread 'main' panicked at 'no board', r.rs:2:5",
    ),
    "c++": (
        (
            "terminate called after throwing an instance of 'std::out_of_range'\n"
            "  what():  vector::_M_range_check: __n (which is 7) >= this->size() (which is 2)\n"
        ),
        (
            "terminate called after throwing an instance of 'std::out_of_range' "
            "what():  vector::_M_range_check: __n (which is 7) >= this->size() (which is 2)"
        ),
    ),
    "ruby": (
        "b.rb:3:in `play': no such point (ArgumentError)\n\tfrom b.rb:9:in `<main>'\n",
        "b.rb:3:in `play': no such point (ArgumentError)",
    ),
    "anything else": ("loading weights\nbye\n", ""),
}


@pytest.mark.parametrize("language", PRINTED)
def test_the_exceptions_own_line(language: str) -> None:
    """The line that names the exception, wherever the runtime prints it."""
    printed, expected = PRINTED[language]

    assert crash_line(printed) == expected
    assert crash_line(printed.replace("\n", "\r\n")) == expected
