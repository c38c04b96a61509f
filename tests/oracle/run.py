#!/usr/bin/env python3
"""make oracle: random queries through ewin-sim and through the real Flink, byte for byte.

Prints a line a case and, at the end, how many SELECTs were compared. Exit status: 0 no difference,
1 a difference, 2 usage, 3 the real Flink can't be run."""

from __future__ import annotations

import argparse
import collections
import secrets
import shutil
import signal
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

import compare
from case import Case, case
from flink import Flink, FlinkError, Sim, home
from queries import Query
from shrink import Shrinker

SHRINK_SECONDS = 60  # for one difference
SHRINK_MOST = 4  # differences; what comes after them is kept as it is


@dataclass
class Counts:
    equal: int = 0
    refused: int = 0
    different: int = 0
    unsteady: int = 0
    features: dict[str, collections.Counter[str]] = field(
        default_factory=lambda: collections.defaultdict(collections.Counter))
    refusals: collections.Counter[str] = field(default_factory=collections.Counter)

    def add(self, query: Query, result: str) -> None:
        setattr(self, result, getattr(self, result) + 1)
        for feature in query.features:
            self.features[feature][result] += 1

    @property
    def compared(self) -> int:
        """Those that both sides have run."""
        return self.equal + self.different + self.unsteady


class Script:
    """Some queries of a case as one file, and how its output falls to them."""

    def __init__(self, made: Case, folder: Path, queries: list[Query]) -> None:
        self.made = made
        self.queries = queries
        self.sql = folder / "together.sql"
        text, self.places = made.script(folder, queries)
        self.sql.write_text(text)

    def pieces(self, output: bytes) -> list[str | None]:
        """What each query has printed. A query whose view fails has printed that view's error, the first
        one has printed an error of the tables; what comes behind an error has printed nothing."""
        found = compare.statements(output)
        pieces: list[str | None] = []
        for place in self.places:
            begin = len(pieces) and self.places[len(pieces) - 1] + 2
            bad = next((piece for piece in found[begin:place + 1] if compare.failed(piece)), None)
            pieces.append(bad or (found[place + 1] if place + 1 < len(found) else None))
        return pieces


class Oracle:
    def __init__(self, args: argparse.Namespace, sim: Sim, flink: Flink) -> None:
        self.seed: int = args.seed
        self.out = Path(args.out).resolve()
        self.shrinks = 0 if args.no_shrink else SHRINK_MOST
        self.only: int | None = args.query
        self.sim = sim
        self.flink = flink
        self.counts = Counts()

    def run_case(self, number: int) -> None:
        made = case(self.seed, number)
        folder = self.out / f"case{number}"
        made.write_data(folder)
        if self.only is not None:
            made.queries = [made.queries[self.only]]
        before = self.counts.different
        tables, errors = self._sort(made, folder)
        while tables or errors:
            batch, tables = tables + errors[:1], []
            errors = errors[1:]
            # What Flink has not come to, since it stopped at an earlier query, goes once more.
            rest = self._run_together(made, folder, batch)
            tables = rest if len(rest) < len(batch) else []
        if self.counts.different == before:
            shutil.rmtree(folder)
        c = self.counts
        verdict = "ok" if c.different == before else "not ok"
        print(f"{verdict} {number} - {made.world.mode}: {c.equal} equal, {c.refused} refused, {c.different} different",
              flush=True)

    def _sort(self, made: Case, folder: Path) -> tuple[list[Query], list[Query]]:
        """Each query alone through the simulator, which costs nothing: those with a table, those with an
        error; the refused ones are counted and go no further."""
        tables, errors = [], []
        for query in made.queries:
            script = Script(made, folder, [query])
            result = self.sim.run(script.sql)
            if result.status == "refused":
                self.counts.add(query, "refused")
                self.counts.refusals[_reason(result.message)] += 1
                continue
            if result.status == "broken":
                self._different(made, query, "the simulator broke: " + result.message)
                continue
            piece = script.pieces(result.out)[0]
            (tables if piece is not None and not compare.failed(piece) else errors).append(query)
        return tables, errors

    def _run_together(self, made: Case, folder: Path, batch: list[Query]) -> list[Query]:
        """Compares queries in one script; returns those that Flink did not come to."""
        script = Script(made, folder, batch)
        theirs = script.pieces(self.sim.normalize(self.flink.output(script.sql, len(batch))))
        ours = script.pieces(self.sim.run(script.sql).out)
        for index, query in enumerate(batch):
            self._judge(script, index, ours[index], theirs[index])
            if any(piece is None or compare.failed(piece) for piece in (ours[index], theirs[index])):
                return batch[index + 1:]
        return []

    def _judge(self, script: Script, index: int, ours: str | None, theirs: str | None) -> None:
        query = script.queries[index]
        any_order = compare.unordered(str(query.tree), script.made.world.batch)
        if ours is not None and theirs is not None and compare.equal(ours, theirs, any_order):
            self.counts.add(query, "equal")
            return
        again = script.pieces(self.sim.normalize(self.flink.output(script.sql, len(script.queries))))[index]
        if again != theirs and again is not None and theirs is not None:
            self.counts.add(query, "unsteady")
            print(f"# Flink answers both ways: {self.seed}-{script.made.number}\n{query.tree}")
            return
        self._different(script.made, query, f"{compare.kind(ours)} / {compare.kind(theirs)}", script)

    def _different(self, made: Case, query: Query, what: str, script: Script | None = None) -> None:
        name = f"{self.seed}-{made.number}-{made.queries.index(query)}"
        folder = self.out / "different" / name
        shrinker = Shrinker(self.sim, self.flink, folder, SHRINK_SECONDS if self.shrinks > 0 else 0)
        alone = shrinker.shrink(made, query)
        self.shrinks -= 1
        self.counts.add(query, "different")
        print(f"# DIFFERENT {name} ({what}): SEED={self.seed}, {folder}")
        if alone or script is None:
            print(shrinker.report(), flush=True)
            return
        print(f"# only behind the queries before it: {script.sql}\n{query.tree}", flush=True)


def _reason(message: str) -> str:
    """A refusal without its place and without what it quotes."""
    line = message.strip().split("\n")[-1]
    return line.split(": ", 2)[-1][:100]


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--count", type=int, default=300, help="so many SELECTs are compared")
    parser.add_argument("--minutes", type=float, default=0, help="end after so many minutes, whatever the count")
    parser.add_argument("--case", type=int, default=None, help="only this case of the seed")
    parser.add_argument("--query", type=int, default=None, help="only this query of the case")
    parser.add_argument("--sim", default="build/ewin-sim")
    parser.add_argument("--flink-home", default="")
    parser.add_argument("--out", default="build/oracle")
    parser.add_argument("--allow", type=int, default=0, help="so many differences are printed, but do not fail")
    parser.add_argument("--stats", action="store_true", help="print the results of each feature")
    parser.add_argument("--no-shrink", action="store_true")
    args = parser.parse_args()
    if args.seed is None:
        args.seed = secrets.randbelow(10 ** 9)
    return args


def _stop(*_: object) -> None:
    raise KeyboardInterrupt


def _statistics(counts: Counts) -> None:
    for feature, results in sorted(counts.features.items()):
        parts = ", ".join(f"{number} {result}" for result, number in sorted(results.items()))
        print(f"# {feature}: {parts}")
    for reason, number in counts.refusals.most_common():
        print(f"# refused {number}: {reason}")


def main() -> int:
    args = _arguments()
    signal.signal(signal.SIGTERM, _stop)
    signal.signal(signal.SIGHUP, _stop)
    out = Path(args.out).resolve()
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    print(f"# SEED={args.seed}", flush=True)
    try:
        flink = Flink(home(args.flink_home or None), out / "flink")
    except FlinkError as error:
        print(f"not ok - {error}")
        return 3
    oracle = Oracle(args, Sim(Path(args.sim).resolve()), flink)
    end = time.monotonic() + args.minutes * 60 if args.minutes else float("inf")
    number = args.case or 0
    interrupted = False
    try:
        while oracle.counts.compared < args.count and time.monotonic() < end:
            oracle.run_case(number)
            number += 1
            if args.case is not None:
                break
    except FlinkError as error:
        print(f"not ok - {error}")
        return 3
    except KeyboardInterrupt:
        print("# interrupted")
        interrupted = True
    finally:
        flink.stop()
    counts = oracle.counts
    if args.stats:
        _statistics(counts)
    print(f"{counts.compared} SELECTs compared: {counts.equal} equal, {counts.refused} refused, "
          f"{counts.different} different" + (f", {counts.unsteady} that Flink answers both ways" if counts.unsteady else ""))
    allowed = counts.different <= args.allow
    print(f"{counts.equal} passed, {0 if allowed else counts.different} failed")
    if interrupted:
        return 130
    return 0 if allowed else 1


if __name__ == "__main__":
    sys.exit(main())
