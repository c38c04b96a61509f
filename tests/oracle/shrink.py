"""Makes a difference small: fewer settings, rows, columns and clauses, as long as it stays one.

A smaller case counts only when both sides still give the same kinds of results (a table, or an error
of some class) and these still differ; so nothing slides over into another difference."""

from __future__ import annotations

import copy
import time
from dataclasses import replace
from pathlib import Path
from typing import Callable

import compare
from case import Case
from flink import Flink, Sim
from queries import Query
from sqltree import Seq, smaller
from world import Table


class Shrinker:
    def __init__(self, sim: Sim, flink: Flink, folder: Path, seconds: float) -> None:
        self.sim = sim
        self.flink = flink
        self.folder = folder
        self.end = time.monotonic() + seconds
        self.case: Case | None = None
        self.query: Query | None = None
        self.kinds: tuple[str, str] = ("", "")

    def shrink(self, made: Case, query: Query) -> bool:
        """Whether the query differs by itself, without others before it; then it is made small."""
        self.case, self.query = made, query
        first = self._outputs(made, query)
        if self._same(first, query):
            return False
        self.kinds = (compare.kind(first[0]), compare.kind(first[1]))
        steps: list[Callable[[], bool]] = [self._no_rows, self._settings, self._views, self._tree, self._rows, self._columns, self._options,
                                           self._tree, self._rows]
        for step in steps:
            step()
        self._outputs(self.case, self.query)  # leaves the files of the smallest one
        return True

    def report(self) -> str:
        """The smallest script, its data, and both results."""
        parts = []
        for name in ["case.sql"] + [f"{table.name}.csv" for table in self.case.world.tables] if self.case else []:
            path = self.folder / name
            if path.exists():
                parts.append(f"--- {name}\n{path.read_text()}")
        for name in ("flink", "sim"):
            parts.append(f"--- {name}\n{self.last[name]}")
        return "\n".join(parts)

    last: dict[str, str] = {}

    def _outputs(self, made: Case, query: Query) -> tuple[str | None, str | None]:
        """Both results of the query alone. The last one tried lies in the folder."""
        made.write_data(self.folder)
        text, places = made.script(self.folder, [query])
        sql = self.folder / "case.sql"
        sql.write_text(text)
        ours = self.sim.run(sql)
        mine: str | None = None
        (self.folder / "sim.out").write_bytes(ours.out + ours.message.encode())
        place = places[0] + 1
        if ours.status == "ok":
            mine = _piece(ours.out, place)
        out = self.folder / "flink.out"
        answer = self.flink.run(sql, out, 1)
        theirs = _piece(self.sim.normalize(out.read_bytes()), place) if answer == "ok" else None
        self.last = {"flink": theirs or answer, "sim": mine or ours.message}
        if ours.status != "ok":
            mine = None
        return mine, theirs

    def _same(self, outputs: tuple[str | None, str | None], query: Query) -> bool:
        ours, theirs = outputs
        if ours is None or theirs is None:
            return ours is theirs
        assert self.case
        return compare.equal(ours, theirs, compare.unordered(str(query.tree), self.case.world.batch))

    def _try(self, made: Case, query: Query) -> bool:
        """Takes the smaller case when it shows the difference still."""
        if time.monotonic() > self.end:
            return False
        outputs = self._outputs(made, query)
        if (compare.kind(outputs[0]), compare.kind(outputs[1])) != self.kinds or self._same(outputs, query):
            return False
        self.case, self.query = made, query
        return True

    def _settings(self) -> bool:
        for key in list(self.case.world.settings)[::-1]:
            if key == "sql-client.execution.result-mode":
                continue
            made = copy.deepcopy(self.case)
            del made.world.settings[key]
            if key == "execution.runtime-mode":
                made.world.batch = False
            self._try(made, self.query)
        return True

    def _views(self) -> bool:
        made = copy.deepcopy(self.case)
        if made.views or len(made.world.tables) > 1:
            made.views, made.world.tables = [], made.world.tables[:1]
            self._try(made, self.query)
        return True

    def _tree(self) -> bool:
        progress = True
        while progress and time.monotonic() < self.end:
            progress = False
            tree = self.query.tree
            if not isinstance(tree, Seq):
                return True
            for less in smaller(tree):
                if self._try(self.case, replace(self.query, tree=less)):
                    progress = True
                    break
                if time.monotonic() > self.end:
                    return True
        return True

    def _no_rows(self) -> bool:
        """Many a difference is one of names, widths or errors."""
        made = copy.deepcopy(self.case)
        for table in made.world.tables:
            table.rows = []
        return self._try(made, self.query)

    def _rows(self) -> bool:
        for index, table in enumerate(self.case.world.tables):
            size = max(1, len(table.rows) // 2)
            while size >= 1 and time.monotonic() < self.end:
                start = 0
                while start < len(self.case.world.tables[index].rows):
                    made = copy.deepcopy(self.case)
                    rows = made.world.tables[index].rows
                    made.world.tables[index].rows = rows[:start] + rows[start + size:]
                    if not self._try(made, self.query):
                        start += size
                    if time.monotonic() > self.end:
                        return True
                size //= 2
        return True

    def _columns(self) -> bool:
        text = str(self.query.tree) + " ".join(self.query.setup + self.case.views)
        for column in list(self.case.world.tables[0].columns):
            if column.name in ("ts",) or f"{column.name}" in text.replace(",", " ").replace("(", " ").split():
                continue
            made = copy.deepcopy(self.case)
            _drop_column(made.world.tables[0], column.name)
            self._try(made, self.query)
        return True

    def _options(self) -> bool:
        table = self.case.world.tables[0]
        for key in list(table.csv.options):
            made = copy.deepcopy(self.case)
            csv = made.world.tables[0].csv
            del csv.options[key]
            csv.delimiter = "," if key == "csv.field-delimiter" else csv.delimiter
            csv.quote = '"' if key == "csv.quote-character" else csv.quote
            csv.null = None if key == "csv.null-literal" else csv.null
            csv.comments = False if key == "csv.allow-comments" else csv.comments
            self._try(made, self.query)
        return True


def _drop_column(table: Table, name: str) -> None:
    index = next(i for i, column in enumerate(table.columns) if column.name == name)
    del table.columns[index]
    for row in table.rows:
        del row[index]


def _piece(output: bytes, place: int) -> str | None:
    pieces = compare.statements(output)
    if place < len(pieces):
        return pieces[place]
    failures = [piece for piece in pieces if compare.failed(piece)]
    return failures[0] if failures else None
