"""Typed scalar expressions over the columns that are in scope."""

from __future__ import annotations

import random

from sqltree import Part, call, joined
from world import Column

UNITS = ["SECOND", "MINUTE", "HOUR", "DAY"]
FAMILIES = ["int", "dec", "float", "str", "bool", "ts", "date", "time"]


class Scope:
    """What can be named at a place of a query: columns with their types."""

    def __init__(self, rng: random.Random, columns: list[Column]) -> None:
        self.rng = rng
        self.columns = columns

    def of(self, *families: str) -> list[Column]:
        return [c for c in self.columns if c.type.family in families]

    def column(self, *families: str) -> Column | None:
        found = self.of(*families)
        return self.rng.choice(found) if found else None

    # An expression of a family. Depth bounds the nesting; at 0 only columns and literals are left.
    def expression(self, family: str, depth: int = 2) -> Part:
        column = self.column(family)
        if family == "bool" and depth == 0 and self.columns and self.rng.random() < 0.9:
            return name(column) if column and self.rng.random() < 0.5 else self._comparison()
        if depth == 0 or (column and self.rng.random() < 0.3):
            return name(column) if column and self.rng.random() < 0.8 else self.literal(family)
        if self.rng.random() < 0.2:
            return self._generic(family, depth - 1)
        return getattr(self, "_" + family)(depth - 1)

    def literal(self, family: str) -> str:
        rng = self.rng
        return {
            "int": str(rng.choice([0, 1, 2, 3, 7, 10, 42, 100, 1000])),
            "dec": rng.choice(["1.5", "0.25", "2.0", "10.00", "0.1"]),
            "float": rng.choice(["1.5E0", "CAST(2.5 AS DOUBLE)", "1E2"]),
            "str": rng.choice(["'a'", "'b'", "'abc'", "''", "'x%'", "'O''Neil'", "'日本'"]),
            "bool": rng.choice(["TRUE", "FALSE"]),
            "ts": rng.choice(["TIMESTAMP '2026-07-06 09:00:00'", "TIMESTAMP '2026-07-06 09:05:30.250'"]),
            "date": "DATE '2026-07-06'",
            "time": "TIME '09:30:00'",
        }[family]

    def _generic(self, family: str, depth: int) -> Part:
        """Forms that every type has."""
        one, other = self.expression(family, depth), self.expression(family, depth)
        form = self.rng.randrange(4)
        if form == 0:
            return joined("CASE WHEN ", self.expression("bool", depth), " THEN ", one, " ELSE ", other, " END")
        if form == 1:
            return joined("CASE WHEN ", self.expression("bool", depth), " THEN ", one, " END")
        return call("COALESCE" if form == 2 else "NULLIF", one, other)

    def _int(self, depth: int) -> Part:
        rng = self.rng
        form = rng.randrange(12)
        if form < 4:
            op = rng.choice(["+", "-", "*"])
            return joined("(", self.expression("int", depth), f" {op} ", self.expression("int", depth), ")")
        if form == 4:
            return joined("(", self.expression("int", depth), f" / {rng.choice([1, 2, 3, 7])})")
        if form == 5:
            return call("MOD", self.expression("int", depth), str(rng.choice([2, 3, 10])))
        if form == 6:
            return call("ABS", self.expression("int", depth))
        if form == 7:
            return call(rng.choice(["CHAR_LENGTH", "CHARACTER_LENGTH"]), self.expression("str", depth))
        if form == 8 and self.of("ts"):
            unit = rng.choice(UNITS + ["MONTH", "YEAR", "QUARTER", "WEEK", "DOY", "DOW"])
            return joined(f"EXTRACT({unit} FROM ", self.expression("ts", depth), ")")
        if form == 9 and self.of("ts"):
            return call("TIMESTAMPDIFF", rng.choice(UNITS), self.expression("ts", depth), self.expression("ts", depth))
        if form == 10:
            family = rng.choice(["float", "dec", "int"])
            return joined("CAST(", self.expression(family, depth), rng.choice([" AS INT)", " AS BIGINT)"]))
        return joined("-", self.expression("int", 0)) if rng.random() < 0.3 else self.expression("int", depth)

    def _dec(self, depth: int) -> Part:
        rng = self.rng
        form = rng.randrange(5)
        if form == 0:
            return joined("CAST(", self.expression(rng.choice(["int", "dec", "float"]), depth),
                          rng.choice([" AS DECIMAL(10, 2))", " AS DECIMAL(12, 4))", " AS DECIMAL(6, 0))"]))
        if form == 1:
            return call("ROUND", self.expression("dec", depth), str(rng.randrange(3)))
        op = rng.choice(["+", "-", "*"])
        family = rng.choice(["dec", "int"])
        return joined("(", self.expression("dec", depth), f" {op} ", self.expression(family, depth), ")")

    def _float(self, depth: int) -> Part:
        rng = self.rng
        form = rng.randrange(6)
        if form == 0:
            return joined("CAST(", self.expression(rng.choice(["int", "dec"]), depth), " AS DOUBLE)")
        if form == 1:
            return call(rng.choice(["ABS", "FLOOR", "CEIL"]), self.expression("float", depth))
        if form == 2:
            return joined("(", self.expression("float", depth), f" / {rng.choice([2, 3, 7])})")
        op = rng.choice(["+", "-", "*"])
        family = rng.choice(["float", "int"])
        return joined("(", self.expression("float", depth), f" {op} ", self.expression(family, depth), ")")

    def _str(self, depth: int) -> Part:
        rng = self.rng
        form = rng.randrange(9)
        if form == 0:
            return call(rng.choice(["UPPER", "LOWER"]), self.expression("str", depth))
        if form == 1:
            return joined("SUBSTRING(", self.expression("str", depth), f" FROM {rng.choice([1, 2, 3, 0, -2])}",
                          rng.choice(["", f" FOR {rng.randrange(4)}"]), ")")
        if form == 2:
            return call("SUBSTRING", self.expression("str", depth), str(rng.randrange(1, 4)), str(rng.randrange(4)))
        if form == 3:
            return call("CONCAT", self.expression("str", depth), self.expression("str", depth))
        if form == 4:
            return joined("(", self.expression("str", depth), " || ", self.expression("str", depth), ")")
        if form == 5 and self.of("ts"):
            form_ = rng.choice(["yyyy-MM-dd", "HH:mm", "HH:mm:ss", "yyyy-MM-dd HH:mm:ss.SSS", "yyyyMMdd", "dd.MM.yy"])
            return call("DATE_FORMAT", self.expression("ts", depth), f"'{form_}'")
        if form == 6:
            return call("TRIM", self.expression("str", depth))
        family = rng.choice(["int", "dec", "float", "bool", "ts", "date", "time", "str"])
        return joined("CAST(", self.expression(family, depth), rng.choice([" AS STRING)", " AS STRING)", " AS VARCHAR(5))"]))

    def _comparison(self) -> Part:
        """Of a column, so that no planner knows the answer."""
        column = self.column(*FAMILIES)
        if column is None:
            return self.literal("bool")
        if self.rng.random() < 0.1:
            return f"{name(column)} IS NOT NULL"
        return f"{name(column)} {self.rng.choice(['<', '<=', '>', '>=', '=', '<>'])} {self.literal(column.type.family)}"

    def _bool(self, depth: int) -> Part:
        rng = self.rng
        form = rng.randrange(11)
        if form < 4:
            family = rng.choice(["int", "int", "str", "dec", "float", "ts", "date"])
            op = rng.choice(["<", "<=", ">", ">=", "=", "<>"])
            column = self.column(family)
            return joined(name(column) if column else self.expression(family, depth), f" {op} ", self.expression(family, depth))
        if form == 4:
            pattern = rng.choice(["'a%'", "'%b%'", "'_'", "'a_c'", "'%'", "'x\\%' ESCAPE '\\'"])
            return joined(self.expression("str", depth), rng.choice([" LIKE ", " NOT LIKE "]), pattern)
        if form == 5:
            family = rng.choice(FAMILIES)
            return joined(self.expression(family, depth), rng.choice([" IS NULL", " IS NOT NULL"]))
        if form < 8:
            op = rng.choice([" AND ", " OR "])
            return joined("(", self.expression("bool", depth), op, self.expression("bool", depth), ")")
        if form == 8:
            return joined("NOT (", self.expression("bool", depth), ")")
        family = rng.choice(["int", "str"])
        tested = self.expression(family, depth)
        if form == 9:
            low = rng.randrange(10)
            bounds = f"{low} AND {low + rng.randrange(50)}" if family == "int" else "'a' AND 'b'"
            return joined(tested, rng.choice([" BETWEEN ", " NOT BETWEEN "]), bounds)
        literals = ", ".join(self.literal(family) for _ in range(rng.randrange(1, 4)))
        return joined(tested, rng.choice([" IN (", " NOT IN ("]), literals, ")")

    def _ts(self, depth: int) -> Part:
        rng = self.rng
        form = rng.randrange(5)
        inner = self.expression("ts", depth)
        if form == 0:
            return joined(rng.choice(["FLOOR(", "CEIL("]), inner, f" TO {rng.choice(UNITS + ['MONTH', 'YEAR'])})")
        if form == 1:
            op = rng.choice(["+", "-"])
            return joined("(", inner, f" {op} INTERVAL '{rng.randrange(1, 60)}' {rng.choice(UNITS)})")
        if form == 2:
            return call("TIMESTAMPADD", rng.choice(UNITS), str(rng.randrange(-9, 90)), inner)
        if form == 3:
            return rng.choice(["TO_TIMESTAMP('2026-07-06 09:10:11')", "TO_TIMESTAMP('2026-07-06', 'yyyy-MM-dd')"])
        return joined("CAST(", inner, rng.choice([" AS TIMESTAMP(0))", " AS TIMESTAMP(3))", " AS TIMESTAMP(6))"]))

    def _date(self, depth: int) -> Part:
        rng = self.rng
        if self.of("ts") and rng.random() < 0.6:
            return joined("CAST(", self.expression("ts", depth), " AS DATE)")
        return joined("(", self.expression("date", depth), f" + INTERVAL '{rng.randrange(1, 9)}' DAY)")

    def _time(self, depth: int) -> Part:
        return joined("CAST(", self.expression("ts", depth), " AS TIME)") if self.of("ts") else self.literal("time")


def name(column: Column) -> str:
    return f"`{column.name}`" if "$" in column.name else column.name

