"""Random SELECTs over a world: one function for each kind of query of an event-time lab.

Every query carries the names of its features, for the statistics, and the rule by which its rows are
compared (see compare.py)."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from expr import FAMILIES, Scope, name
from sqltree import Part, Seq, items, joined, lines
from world import BIGINT, Column, TS3, Table, World

SIZES = ["'10' SECOND", "'30' SECOND", "'1' MINUTE", "'1' MINUTE", "'2' MINUTES", "'5' MINUTE", "'10' MINUTE",
         "'1' HOUR", "'1' DAY"]
SLIDES = [("'10' SECOND", "'30' SECOND"), ("'30' SECOND", "'1' MINUTE"), ("'1' MINUTE", "'5' MINUTE"),
          ("'1' MINUTE", "'2' MINUTE"), ("'5' MINUTE", "'10' MINUTE"), ("'1' MINUTE", "'1' MINUTE"),
          ("'20' MINUTE", "'1' HOUR")]
GAPS = ["'5' SECOND", "'30' SECOND", "'1' MINUTE", "'2' MINUTE", "'10' MINUTE"]
OFFSETS = ["'5' SECOND", "'7' SECOND", "'9' SECOND"]
WINDOW = [Column("window_start", TS3), Column("window_end", TS3)]


@dataclass
class Query:
    tree: Part
    features: set[str] = field(default_factory=set)
    setup: list[str] = field(default_factory=list)  # statements that it needs before it
    mistake: bool = False


@dataclass
class Source:
    """Something to select from: its text, its columns, and its time attribute."""

    text: str
    columns: list[Column]
    rowtime: str | None

    def argument(self) -> str:
        """As the first argument of a window function."""
        return self.text if self.text.startswith("(") else "TABLE " + self.text


class Queries:
    def __init__(self, rng: random.Random, world: World, sources: list[Source]) -> None:
        self.rng = rng
        self.world = world
        self.sources = sources
        self.features: set[str] = set()
        self.setup: list[str] = []
        self.number = 0

    def query(self, number: int) -> Query:
        """The number makes the names of views its own."""
        self.number = number
        kinds = [
            (self.window_aggregate, 30), (self.window_table, 6), (self.legacy, 8), (self.grouping_sets, 6),
            (self.window_rank, 10), (self.window_dedup, 5), (self.nested_window, 8), (self.window_subquery, 4),
            (self.group_by, 10), (self.rank, 5), (self.scalars, 14), (self.ordered, 3), (self.distinct, 2),
            (self.limited, 2),
        ]
        if not self.world.batch:
            kinds.append((self.current_watermark, 6))
        make = self.rng.choices([k for k, _ in kinds], [w for _, w in kinds])[0]
        self.features = {make.__name__}
        self.setup = []
        tree = make()
        return Query(tree, self.features, self.setup)

    # Parts of a query.

    def source(self, rowtime: bool = False) -> Source:
        """A table or a view; with a time attribute where one is asked for."""
        fit = [s for s in self.sources if s.rowtime or not rowtime or self.world.batch]
        return self.rng.choice(fit or self.sources)

    def window(self, source: Source, kinds: str = "thcs", time: str | None = None) -> tuple[str, str]:
        """FROM's window function, and which one it is."""
        rng = self.rng
        kind = rng.choice(kinds.replace("s", "") if self.world.batch else kinds)
        time = time or source.rowtime or "ts"
        partition = ""
        if kind == "t":
            names, args = ["SIZE"], [rng.choice(SIZES)]
        elif kind in "hc":
            names, args = ["SLIDE" if kind == "h" else "STEP", "SIZE"], list(rng.choice(SLIDES))
        else:
            names, args = ["GAP"], [rng.choice(GAPS)]
            keys = [c for c in source.columns if c.name == "k"]
            if keys and rng.random() < 0.6:
                partition = " PARTITION BY k"
                self.features.add("session_partition")
        if kind in "thc" and rng.random() < 0.15:
            names.append("`OFFSET`")
            args.append(rng.choice(OFFSETS))
            self.features.add("offset")
        function = {"t": "TUMBLE", "h": "HOP", "c": "CUMULATE", "s": "SESSION"}[kind]
        self.features.add(function.lower())
        intervals = ["INTERVAL " + arg for arg in args]
        if rng.random() < 0.12:
            self.features.add("named_args")
            parts = [f"DATA => {source.argument()}{partition}", f"TIMECOL => DESCRIPTOR({time})"]
            parts += [f"{key} => {value}" for key, value in zip(names, intervals)]
        else:
            parts = [f"{source.argument()}{partition}", f"DESCRIPTOR({time})"] + intervals
        text = f"{function}({', '.join(parts)})"
        return (f"TABLE({text})" if rng.random() < 0.2 else text), kind + ("p" if partition else "")

    def where(self, scope: Scope, chance: float = 0.3) -> Part:
        if self.rng.random() >= chance:
            return ""
        self.features.add("where")
        return items([scope.expression("bool", 1) for _ in range(self.rng.choice([1, 1, 2]))], " AND ", "WHERE ", 0)

    def aggregate(self, scope: Scope, window: str = "") -> Part:
        """One aggregate call."""
        rng = self.rng
        filter_: Part = ""
        if rng.random() < 0.15:
            self.features.add("filter")
            filter_ = Seq([scope.expression("bool", 1)], "", " FILTER (WHERE ", ")", 0)
        function = rng.choice(["COUNT(*)", "COUNT", "COUNT", "SUM", "SUM", "AVG", "MIN", "MAX", "MIN", "MAX", "VALUE"])
        if function == "COUNT(*)":
            return joined("COUNT(*)", filter_)
        if function == "VALUE":
            if window not in ("", "t"):
                return joined("COUNT(*)", filter_)
            function = rng.choice(["FIRST_VALUE", "LAST_VALUE"])
            self.features.add("first_last_value")
        numbers = function in ("SUM", "AVG")
        families = ["int", "int", "dec", "float"] if numbers else FAMILIES
        column = scope.column("int", "dec", "float") if numbers else rng.choice(scope.columns)
        argument = name(column) if column and rng.random() < 0.8 else scope.expression(rng.choice(families), 1)
        distinct = ""
        if function in ("COUNT", "SUM", "AVG") and rng.random() < 0.2:
            distinct = "DISTINCT "
            self.features.add("distinct_agg")
        return joined(f"{function}({distinct}", argument, ")", filter_)

    def aggregates(self, scope: Scope, window: str = "", most: int = 4) -> list[Part]:
        count = self.rng.randrange(1, most + 1)
        return [joined(self.aggregate(scope, window), f" AS a{i}") for i in range(count)]

    def keys(self, source: Source, chance: float = 0.6) -> list[Column]:
        """Columns to group by; k first of all."""
        rng = self.rng
        able = [c for c in source.columns if c.name not in ("id", source.rowtime)]
        if not able or rng.random() >= chance:
            return []
        first = next((c for c in able if c.name == "k"), able[0])
        found = [first if rng.random() < 0.7 else rng.choice(able)]
        if rng.random() < 0.2:
            other = rng.choice(able)
            found += [other] if other is not found[0] else []
        self.features.update("key_" + c.type.family for c in found)
        return found

    def having(self, scope: Scope, window: str = "") -> Part:
        if self.rng.random() >= 0.15:
            return ""
        self.features.add("having")
        op = self.rng.choice([">", "<", ">=", "<>"])
        if self.rng.random() < 0.6:
            return f"HAVING COUNT(*) {op} {self.rng.randrange(4)}"
        column = scope.column("int")
        return f"HAVING SUM({name(column)}) {op} {self.rng.randrange(100)}" if column else ""

    def order(self, columns: list[str], chance: float) -> Part:
        """ORDER BY in batch, where any column will do."""
        if not self.world.batch or self.rng.random() >= chance:
            return ""
        self.features.add("order_by")
        keys = self.rng.sample(columns, min(len(columns), self.rng.choice([1, 1, 2, 3])))
        return items([self.sort_key(key) for key in keys], ", ", "ORDER BY ", 0)

    def sort_key(self, key: Part) -> Part:
        nulls = self.rng.choice(["", "", "", " NULLS FIRST", " NULLS LAST"])
        return joined(key, self.rng.choice(["", " ASC", " DESC", " DESC"]), nulls)

    # Kinds of queries.

    def window_parts(self, kinds: str = "thcs") -> tuple[Source, str, str, list[Column]]:
        source = self.source(True)
        text, kind = self.window(source, kinds)
        keys = self.keys(source)
        if kind == "sp":
            keys = [c for c in source.columns if c.name == "k"] if self.rng.random() < 0.9 else keys
        elif kind == "s":
            keys = [] if self.rng.random() < 0.8 else keys
        return source, text, kind, keys

    def window_aggregate(self) -> Part:
        source, text, kind, keys = self.window_parts()
        scope = Scope(self.rng, source.columns)
        bounds = ["window_start", "window_end"]
        if self.rng.random() < 0.15:
            bounds.append("window_time")
            self.features.add("window_time")
        shown = [b for b in bounds if b == "window_start" or self.rng.random() < 0.8]
        select = shown + [name(k) for k in keys if self.rng.random() < 0.9] + self.aggregates(scope, kind[0])
        if self.rng.random() < 0.1:
            select.append(self.over_aggregate(scope))
        group = bounds + [name(k) for k in keys]
        if self.rng.random() < 0.15:
            self.rng.shuffle(group)
        return lines(items(select, head="SELECT "), "FROM " + text, self.where(scope),
                     items(list(group), head="GROUP BY "), self.having(scope, kind[0]), self.order(shown, 0.3))

    def over_aggregate(self, scope: Scope) -> Part:
        """An expression over aggregates."""
        column = scope.column("int")
        number = name(column) if column else "1"
        self.features.add("expr_over_agg")
        return self.rng.choice([
            "COUNT(*) + 1 AS e", f"SUM({number}) / COUNT(*) AS e", f"CAST(SUM({number}) AS DOUBLE) / COUNT(*) AS e",
            f"MAX({number}) - MIN({number}) AS e", f"CASE WHEN COUNT(*) > 2 THEN 'many' ELSE 'few' END AS e",
            f"COALESCE(SUM({number}), 0) AS e", "DATE_FORMAT(window_start, 'HH:mm') AS e", "COUNT(*) * 1.5 AS e",
        ])

    def window_table(self) -> Part:
        source = self.source(True)
        text, _ = self.window(source)
        scope = Scope(self.rng, source.columns)
        bounds = self.rng.sample(["window_start", "window_end", "window_time"], self.rng.randrange(1, 4))
        select: list[Part] = ["*"] if self.rng.random() < 0.2 else [name(c) for c in source.columns[:4]] + list(bounds)
        where = self.where(scope, 0.3)
        if self.rng.random() < 0.2:
            where = "WHERE window_start >= TIMESTAMP '2026-07-06 09:00:00'"
        return lines(items(select, head="SELECT "), "FROM " + text, where)

    def legacy(self) -> Part:
        rng = self.rng
        source = self.source(True)
        time = source.rowtime or "ts"
        kind = rng.choice("th" if self.world.batch else "tths")
        function = {"t": "TUMBLE", "h": "HOP", "s": "SESSION"}[kind]
        args = {"t": lambda: [rng.choice(SIZES)], "h": lambda: list(rng.choice(SLIDES)), "s": lambda: [rng.choice(GAPS)]}[kind]()
        inside = ", ".join([time] + ["INTERVAL " + a for a in args])
        keys = self.keys(source)
        scope = Scope(rng, source.columns)
        self.features.add("legacy_" + function.lower())
        shown = [f"{function}_{end}({inside})" for end in rng.sample(["START", "END", "ROWTIME"], rng.randrange(1, 4))]
        select = shown + [name(k) for k in keys] + self.aggregates(scope, kind)
        group = [f"{function}({inside})"] + [name(k) for k in keys]
        return lines(items(select, head="SELECT "), f"FROM {source.text}", self.where(scope),
                     items(list(group), head="GROUP BY "), self.having(scope, kind))

    def grouping_sets(self) -> Part:
        rng = self.rng
        source = self.source(True)
        text, kind = self.window(source, "thc")
        able = [c for c in source.columns if c.name not in ("id", source.rowtime)]
        keys = [name(c) for c in rng.sample(able, min(len(able), rng.choice([1, 2, 2])))]
        form = rng.choice(["GROUPING SETS", "ROLLUP", "CUBE"])
        self.features.add(form.split()[0].lower())
        sets = ", ".join(keys)
        if form == "GROUPING SETS":
            sets = ", ".join(rng.sample([f"({', '.join(keys)})", "()"] + [f"({k})" for k in keys], 2))
        scope = Scope(rng, source.columns)
        select = ["window_start", "window_end"] + keys + self.aggregates(scope, kind, 2)
        if rng.random() < 0.2:
            select.append(f"GROUPING({keys[0]}) AS g")
        return lines(items(select, head="SELECT "), "FROM " + text, self.where(scope, 0.15),
                     f"GROUP BY window_start, window_end, {form} ({sets})")

    def ranked(self, inner: Part, columns: list[str], partition: list[str], order: Part) -> Part:
        rng = self.rng
        limit = rng.choice([1, 1, 2, 3, 5])
        bound = rng.choice([f"rn <= {limit}", f"rn <= {limit}", f"rn < {limit + 1}", f"rn = {1}", f"rn <= {limit + 1} AND rn >= 2"])
        shown: list[Part] = ["*"] if rng.random() < 0.3 else list(columns) + (["rn"] if rng.random() < 0.7 else [])
        middle = lines(joined("SELECT *, ROW_NUMBER() OVER (PARTITION BY ", items(list(partition)), order, ") AS rn"),
                       joined("FROM (", inner, ")"))
        return lines(items(shown, head="SELECT "), joined("FROM (", middle, ")"), "WHERE " + bound)

    def window_rank(self) -> Part:
        rng = self.rng
        if rng.random() < 0.6:
            source, text, kind, keys = self.window_parts("thc")
            scope = Scope(rng, source.columns)
            shown = ["window_start", "window_end"] + [name(k) for k in keys]
            aggregates = self.aggregates(scope, kind[0], 2)
            columns = shown + [f"a{i}" for i in range(len(aggregates))]
            inner: Part = lines(items(shown + aggregates, head="SELECT "), "FROM " + text, self.where(scope, 0.2),
                                items(list(shown), head="GROUP BY "))
            sortable = columns[2:]
            self.features.add("rank_on_aggregate")
        else:
            source = self.source(True)
            text, _ = self.window(source, "thc")
            picked = [name(c) for c in source.columns[:4]]
            columns = ["window_start", "window_end"] + [c for c in picked if c != (source.rowtime or "ts")]
            inner = lines(items(list(columns), head="SELECT "), "FROM " + text)
            sortable = columns[2:]
            self.features.add("rank_on_tvf")
        partition = ["window_start", "window_end"]
        if rng.random() < 0.3 and len(sortable) > 1:
            partition.append(sortable[0])
        keys_ = rng.sample(sortable, min(len(sortable), rng.choice([1, 1, 2])))
        return self.ranked(inner, columns, partition, items([self.sort_key(k) for k in keys_], ", ", " ORDER BY "))

    def window_dedup(self) -> Part:
        rng = self.rng
        source = self.source(True)
        text, _ = self.window(source, "thc")
        time = source.rowtime or "ts"
        columns = ["window_start", "window_end"] + [name(c) for c in source.columns[:4]]
        columns += [time] if time not in columns else []
        partition = ["window_start", "window_end"] + (["k"] if "k" in columns and rng.random() < 0.7 else [])
        order = f" ORDER BY {time}" + rng.choice(["", " ASC", " DESC"])
        inner = lines(items(list(columns), head="SELECT "), "FROM " + text)
        middle = lines(joined("SELECT *, ROW_NUMBER() OVER (PARTITION BY " + ", ".join(partition) + order + ") AS rn"),
                       joined("FROM (", inner, ")"))
        return lines(items(list(columns), head="SELECT "), joined("FROM (", middle, ")"), "WHERE rn = 1")

    def nested_window(self) -> Part:
        """A window over window_time of another window's aggregate."""
        rng = self.rng
        source = self.source(True)
        text, kind = self.window(source, "thc")
        keys = self.keys(source, 0.5)
        shown = [name(k) for k in keys]
        inner = (f"SELECT {', '.join(shown + ['window_time AS rt', 'COUNT(*) AS n', 'MAX(id) AS m'])} FROM {text} "
                 f"GROUP BY {', '.join(['window_start', 'window_end', 'window_time'] + shown)}")
        outer_scope = Scope(rng, keys + [Column("n", BIGINT), Column("m", BIGINT)])
        view = Source(f"({inner})", keys + [Column("n", BIGINT), Column("m", BIGINT)], "rt")
        if rng.random() < 0.7:
            view.text = f"v{self.number}"
            self.setup.append(f"CREATE VIEW {view.text} AS\n{inner}")
        function, kind = self.window(view, "thc", "rt")
        group = ["window_start", "window_end"] + (shown if rng.random() < 0.5 else [])
        return lines(items(list(group) + self.aggregates(outer_scope, kind, 2), head="SELECT "), "FROM " + function,
                     items(list(group), head="GROUP BY "))

    def window_subquery(self) -> Part:
        """An aggregate of the windows that a subquery has attached."""
        rng = self.rng
        source, text, kind, keys = self.window_parts("thc")
        scope = Scope(rng, source.columns)
        shown = ["window_start", "window_end"] + [name(k) for k in keys]
        inner: Part
        if rng.random() < 0.5:
            inner = lines(items(list(shown) + ["COUNT(*) AS n", "MAX(id) AS m"], head="SELECT "), "FROM " + text,
                          "GROUP BY " + ", ".join(shown))
        else:
            inner = lines(items(list(shown) + ["id AS n", "id AS m"], head="SELECT "), "FROM " + text, self.where(scope, 0.3))
        outer = Scope(rng, keys + [Column("n", BIGINT), Column("m", BIGINT)])
        return lines(items(["window_start", "window_end"] + self.aggregates(outer, "", 2), head="SELECT "),
                     joined("FROM (", inner, ")"), "GROUP BY window_start, window_end")

    def group_by(self) -> Part:
        source = self.source()
        scope = Scope(self.rng, source.columns)
        keys = [name(k) for k in self.keys(source, 0.8)]
        select = keys + self.aggregates(scope)
        if keys and self.rng.random() < 0.15:
            expression = scope.expression("str", 1)
            return lines(items([joined(expression, " AS x")] + self.aggregates(scope), head="SELECT "),
                         f"FROM {source.text}", joined("GROUP BY ", expression))
        return lines(items(select, head="SELECT "), f"FROM {source.text}", self.where(scope),
                     items(list(keys), head="GROUP BY ", keep=0), self.having(scope), self.order(keys, 0.3) if keys else "")

    def rank(self) -> Part:
        rng = self.rng
        source = self.source()
        columns = [name(c) for c in source.columns]
        scope_keys = self.keys(source, 1.0)
        partition = [name(scope_keys[0])] if scope_keys else ["id"]
        if rng.random() < 0.3:
            order: Part = f" ORDER BY {source.rowtime or 'ts'}" + rng.choice(["", " DESC"])
        else:
            able = [c for c in columns if c not in partition]
            picked = rng.sample(able, min(len(able), rng.choice([1, 1, 2])))
            order = items([self.sort_key(k) for k in picked], ", ", " ORDER BY ")
        inner = joined(f"SELECT {', '.join(columns)} FROM {source.text}")
        return self.ranked(inner, columns[:4], partition, order)

    def scalars(self) -> Part:
        source = self.source()
        scope = Scope(self.rng, source.columns)
        select: list[Part] = ["id"] if any(c.name == "id" for c in source.columns) else []
        for index in range(self.rng.randrange(1, 5)):
            family = self.rng.choice(FAMILIES)
            self.features.add("expr_" + family)
            alias = f" AS e{index}" if self.rng.random() < 0.8 else ""
            select.append(joined(scope.expression(family, self.rng.choice([1, 2, 2, 3])), alias))
        if self.rng.random() < 0.2:
            select = ["*"]
        elif self.rng.random() < 0.3:
            select += [name(c) for c in source.columns]
        return lines(items(select, head="SELECT "), f"FROM {source.text}", self.where(scope, 0.4), self.order(["id"], 0.2))

    def current_watermark(self) -> Part:
        source = self.source(True)
        scope = Scope(self.rng, source.columns)
        time = source.rowtime or "ts"
        select: list[Part] = ["id", time, f"CURRENT_WATERMARK({time}) AS wm"]
        if self.rng.random() < 0.3:
            select.append(f"{time} <= CURRENT_WATERMARK({time}) AS late")
        where = self.rng.choice([
            "", "", f"WHERE {time} <= CURRENT_WATERMARK({time})",
            f"WHERE CURRENT_WATERMARK({time}) IS NULL OR {time} > CURRENT_WATERMARK({time})",
        ])
        return lines(items(select, head="SELECT "), f"FROM {source.text}", where or self.where(scope, 0.2))

    def ordered(self) -> Part:
        source = self.source(True)
        columns = [name(c) for c in source.columns]
        time = source.rowtime or "ts"
        further = self.rng.choice(["", ", id", ", id DESC"])
        return lines(items(list(columns), head="SELECT "), f"FROM {source.text}", f"ORDER BY {time}{further}")

    def distinct(self) -> Part:
        source = self.source()
        able = [name(c) for c in source.columns if c.name not in ("id", "ts")]
        return lines(items(self.rng.sample(able, min(len(able), self.rng.choice([1, 1, 2]))), head="SELECT DISTINCT "),
                     f"FROM {source.text}")

    def limited(self) -> Part:
        source = self.source()
        return lines(items([name(c) for c in source.columns[:3]], head="SELECT "), f"FROM {source.text}",
                     f"LIMIT {self.rng.choice([0, 1, 3, 10, 100])}")


def source_of(table: Table) -> Source:
    return Source(table.name, table.columns, "ts" if table.watermark else None)
