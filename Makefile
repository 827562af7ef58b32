# `make check` is the definition of done.  PY is the project's own environment, made by bootstrap.py.
PY ?= .venv/bin/python

.PHONY: check lint types test slow proofs kills bench regressions fuzz examples tables selftest faults matrix fresh \
	specification gallery tst-files witnesses verdicts build mutants left-out unlisted conforming pairs

check: lint types test  ## format, lint, types, fast tests

lint:
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .

types:
	$(PY) -m mypy

test: examples
	$(PY) -m pytest -q -m "not slow and not long" -n auto --dist loadfile

slow: examples  ## minutes: certificates of the examples and of every deviation
	$(PY) -m pytest -q -m slow

proofs: examples  ## a quarter of an hour and more: the engine's proofs at full length
	$(PY) -m pytest -q -s -m long --timeout 7200

kills: examples  ## an hour: kill -9, two hundred times, each resumed and replayed; two hundred signals of four kinds
	$(PY) -m pytest -q -s -m long --timeout 7200 tests/harness/test_kills.py

bench:  ## the kernels beside the C example; the driver and a match beside bare pipe loops
	$(PY) benchmarks/engine.py
	$(PY) benchmarks/driver.py
	$(PY) benchmarks/match.py

regressions:  ## twenty minutes: how often `refbot regress` cries wolf, and what it misses; docs/regress.md
	$(PY) benchmarks/regress.py sums --repeats 2000 | tail -n 3
	$(PY) benchmarks/regress.py slower --repeats 200 | tail -n 15
	$(PY) benchmarks/regress.py longer --repeats 20 | tail -n 3
	$(PY) benchmarks/regress.py unchanged --repeats 200 | tail -n 3

fuzz:  ## a quarter of an hour: hostile bot output against a second reading of the protocol; a million changed files
	$(PY) tests/harness/hostile.py --bytes 12000000 --seed 1
	$(PY) tests/harness/file_fuzz.py --mutations 1000000 --seed 1

examples: examples/refbot-c

examples/refbot-c: examples/refbot.c
	$(CC) -O3 -std=c99 -o $@ $< -lm

tables:  ## rebuild missing and outdated reference tables (about an hour on two cores)
	$(PY) -m harness tables --rebuild

selftest:  ## an hour: every deviation and the conforming engine, again and again; docs/kill-matrix.md
	$(PY) -m harness selftest --trials 20 --conforming 2000 --markdown > docs/kill-matrix.md.new
	mv docs/kill-matrix.md.new docs/kill-matrix.md

unlisted:  ## five minutes: the C example with mistakes that no catalogue holds; docs/unlisted.md
	$(PY) benchmarks/unlisted.py > docs/unlisted.md.new
	mv docs/unlisted.md.new docs/unlisted.md

conforming:  ## an hour: bots that conform, each in its own way; docs/conforming.md
	$(PY) benchmarks/conforming.py --times 10 > docs/conforming.md.new
	mv docs/conforming.md.new docs/conforming.md

mutants:  ## an hour: examples with one token changed, each certified; docs/mutants.md
	$(PY) benchmarks/mutants.py examples/refbot.c examples/refbot.py --mutants 300 --seed 1 > docs/mutants.md.new
	mv docs/mutants.md.new docs/mutants.md

pairs:  ## a quarter of an hour: bots with two known mistakes at once; docs/pairs.md
	$(PY) benchmarks/pairs.py --pairs 500 > docs/pairs.md.new
	mv docs/pairs.md.new docs/pairs.md

left-out:  ## a quarter of an hour: every deviation judged as if nobody had listed it; docs/leave-one-out.md
	$(PY) -m harness selftest --leave-one-out --trials 5 --markdown > docs/leave-one-out.md.new
	mv docs/leave-one-out.md.new docs/leave-one-out.md

faults:  ## a minute: bots that hang, lie, flood and die, and the word of each
	$(PY) -m harness selftest --faults

matrix:  ## docs/matrix.md, from the tables as they are
	$(PY) -m harness list --matrix --markdown > docs/matrix.md.new
	mv docs/matrix.md.new docs/matrix.md

specification:  ## docs/specification.md, from its template, the fixtures and the tables
	$(PY) -m harness explain --all > docs/specification.md.new
	mv docs/specification.md.new docs/specification.md

tst-files:  ## fixtures/tst, from the cases
	rm -f fixtures/tst/*.tst
	$(PY) -m harness list --tst fixtures/tst

witnesses:  ## search for positions that show deviations better than the packaged ones (a minute on one core)
	$(PY) benchmarks/witnesses.py

verdicts:  ## long: whether verdicts keep what they claim, measured by 4,400 certificates of bots made for it
	$(PY) benchmarks/verdicts.py innocent near power promises choices distances displaced
	$(PY) benchmarks/verdicts.py power promises --level full --certificates 60 --runs 3
	$(PY) benchmarks/verdicts.py power --level reference --certificates 8

gallery: examples  ## reports/gallery: real runs, their reports and pictures, some minutes; needs chromium
	$(PY) reports/gallery/build.py

fresh:  ## a Debian 13 with nothing but python3, the README's two commands in it, and away with it; needs root, debootstrap
	sh benchmarks/fresh.sh

build:  ## the wheel, with the fixtures inside
	$(PY) -m build --wheel
