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

SHRINK_SECONDS = 90  # for one difference
SHRINK_MOST = 6  # differences; what comes after them is kept as it is


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


class Oracle:
    def __init__(self, args: argparse.Namespace, sim: Sim, flink: Flink) -> None:
        self.seed: int = args.seed
        self.out = Path(args.out).resolve()
        self.shrinks = 0 if args.no_shrink else SHRINK_MOST
        self.sim = sim
        self.flink = flink
        self.counts = Counts()

    def run_case(self, number: int) -> None:
        made = case(self.seed, number)
        folder = self.out / f"case{number}"
        made.write_data(folder)
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
            path = folder / "alone.sql"
            text, places = made.script(folder, [query])
            path.write_text(text)
            result = self.sim.run(path)
            if result.status == "refused":
                self.counts.add(query, "refused")
                self.counts.refusals[_reason(result.message)] += 1
                continue
            if result.status == "broken":
                self._different(made, [query], query, "the simulator broke: " + result.message)
                continue
            pieces = compare.statements(result.out)
            last = pieces[places[0] + 1] if len(pieces) > places[0] + 1 else None
            (tables if last is not None and not compare.failed(last) else errors).append(query)
        return tables, errors

    def _run_together(self, made: Case, folder: Path, batch: list[Query]) -> list[Query]:
        """Compares queries in one script; returns those that Flink did not come to."""
        text, places = made.script(folder, batch)
        sql, out = folder / "together.sql", folder / "together.out"
        sql.write_text(text)
        answer = self.flink.run(sql, out, len(batch))
        theirs = compare.statements(out.read_bytes()) if answer == "ok" and out.exists() else []
        ours = compare.statements(self.sim.run(sql).out)
        for index, query in enumerate(batch):
            place = places[index] + 1
            piece = theirs[place] if place < len(theirs) else None
            mine = ours[place] if place < len(ours) else None
            if piece is None:
                # Flink stopped at the query's own views, at the tables, or not at all.
                self._different(made, [query], query, f"Flink came to no result ({answer})")
                return batch[index + 1:]
            last = compare.failed(piece)
            self._judge(made, batch[:index + 1], query, mine, piece)
            if last:
                return batch[index + 1:]
            if mine is None or compare.failed(mine):
                return batch[index + 1:]
        return []

    def _judge(self, made: Case, before: list[Query], query: Query, ours: str | None, theirs: str) -> None:
        any_order = compare.unordered(str(query.tree), made.world.batch)
        if ours is not None and compare.equal(ours, theirs, any_order):
            self.counts.add(query, "equal")
            return
        self._different(made, before, query, f"{compare.kind(ours)} / {compare.kind(theirs)}")

    def _different(self, made: Case, before: list[Query], query: Query, what: str) -> None:
        name = f"{self.seed}-{made.number}-{made.queries.index(query)}"
        folder = self.out / "different" / name
        shrinker = Shrinker(self.sim, self.flink, folder, SHRINK_SECONDS if self.shrinks > 0 else 0)
        found = shrinker.shrink(made, query)
        if found == "unsteady":
            self.counts.add(query, "unsteady")
            print(f"# {name}: Flink gives another result when it is asked again\n{query.tree}")
            return
        self.shrinks -= 1
        self.counts.add(query, "different")
        together = "" if found == "alone" else f"\n# only behind the {len(before) - 1} queries before it"
        print(f"# DIFFERENT {name} ({what}), SEED={self.seed}: {folder}{together}")
        print(shrinker.report(), flush=True)


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
    parser.add_argument("--sim", default="build/ewin-sim")
    parser.add_argument("--flink-home", default="")
    parser.add_argument("--out", default="build/oracle")
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
        return 130
    finally:
        flink.stop()
    counts = oracle.counts
    if args.stats:
        _statistics(counts)
    print(f"{counts.compared} SELECTs compared: {counts.equal} equal, {counts.refused} refused, "
          f"{counts.different} different" + (f", {counts.unsteady} that Flink answers both ways" if counts.unsteady else ""))
    print(f"{counts.equal} passed, {counts.different} failed")
    return 1 if counts.different else 0


if __name__ == "__main__":
    sys.exit(main())
