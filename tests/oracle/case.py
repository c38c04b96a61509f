"""A case: a world, its views, and queries over them, as files and as one script for both sides."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from pathlib import Path

from mistakes import mistake
from queries import Queries, Query, Source, source_of
from world import World, world

QUERIES = 16  # of a case; they share the start of a session and the tables


@dataclass
class Case:
    number: int
    world: World
    views: list[str]
    queries: list[Query] = field(default_factory=list)

    def preamble(self, folder: Path) -> list[str]:
        sets = [f"SET '{key}' = '{value}'" for key, value in self.world.settings.items()]
        tables = [table.ddl(f"file://{folder}/{table.name}.csv") for table in self.world.tables]
        if self.world.late_mode:
            sets.sort(key=lambda text: "runtime-mode" in text)
            return sets[:-1] + tables + sets[-1:] + self.views
        return sets + tables + self.views

    def write_data(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        for table in self.world.tables:
            (folder / f"{table.name}.csv").write_bytes(table.file().encode())

    def script(self, folder: Path, queries: list[Query]) -> tuple[str, list[int]]:
        """The script of some queries, and the number of each one's statement in it."""
        all_ = self.preamble(folder)
        places = []
        for query in queries:
            all_ += query.setup
            places.append(len(all_))
            all_.append(str(query.tree))
        return "".join(statement + ";\n\n" for statement in all_), places


def _views(rng: random.Random, world_: World, sources: list[Source]) -> list[str]:
    table = world_.tables[0]
    views = []
    if rng.random() < 0.4:
        columns = [c for c in table.columns if c.rowtime or c.name == 'id' or rng.random() < 0.8]
        where = rng.choice(["", " WHERE id > 3"])
        if not world_.batch and table.watermark and rng.random() < 0.5:
            where = " WHERE CURRENT_WATERMARK(ts) IS NULL OR ts > CURRENT_WATERMARK(ts)"
        names = ", ".join(c.name for c in columns)
        views.append(f"CREATE {rng.choice(['', 'TEMPORARY '])}VIEW w AS SELECT {names} FROM t{where}")
        sources.append(Source("w", columns, "ts" if table.watermark else None))
    return views


def case(seed: int, number: int) -> Case:
    """The same for the same seed and number, whatever else is run."""
    rng = random.Random(f"{seed}/{number}")
    world_ = world(rng)
    sources = [source_of(table) for table in world_.tables]
    made = Case(number, world_, _views(rng, world_, sources))
    queries = Queries(rng, world_, sources)
    made.queries = [queries.query(index) for index in range(QUERIES)]
    made.queries += [mistake(rng, world_) for _ in range(rng.choice([0, 1, 1, 2]))]
    return made
