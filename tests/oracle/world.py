"""The world of a case: session settings, tables, and the CSV rows behind them."""

from __future__ import annotations

import base64
import datetime
import random
from dataclasses import dataclass, field
from decimal import Decimal


@dataclass(frozen=True)
class Type:
    sql: str
    family: str  # bool, int, dec, float, str, bytes, date, time, ts, ltz
    digits: int = 0  # of a time, behind the second; of a DECIMAL, behind the point


@dataclass
class Column:
    name: str
    type: Type
    rowtime: bool = False


@dataclass
class Csv:
    """The dialect of a table's file, and the options that tell Flink of it."""

    delimiter: str = ","
    quote: str | None = '"'
    null: str | None = None
    options: dict[str, str] = field(default_factory=dict)
    newline: str = "\n"
    comments: bool = False


@dataclass
class Table:
    name: str
    columns: list[Column]
    rows: list[list[str | None]]  # None is the null literal
    csv: Csv
    watermark: str | None = None  # the expression
    computed: list[str] = field(default_factory=list)

    def ddl(self, path: str) -> str:
        body = [f"  `{c.name}` {c.type.sql}" for c in self.columns] + self.computed
        if self.watermark:
            body.append(f"  WATERMARK FOR ts AS {self.watermark}")
        options = {"connector": "filesystem", "path": path, "format": "csv", **self.csv.options}
        with_ = ",\n".join(f"  '{key}' = '{value}'" for key, value in options.items())
        return f"CREATE TABLE {self.name} (\n" + ",\n".join(body) + f"\n) WITH (\n{with_}\n)"

    def file(self) -> str:
        lines = [self._line(row) for row in self.rows]
        if self.csv.comments and lines:
            lines.insert(len(lines) // 2, "# a comment")
        return "".join(line + self.csv.newline for line in lines)

    def _line(self, row: list[str | None]) -> str:
        return self.csv.delimiter.join(self._field(value) for value in row)

    def _field(self, value: str | None) -> str:
        csv = self.csv
        if value is None:
            return csv.null or ""
        special = (csv.delimiter, csv.quote or '"', "\n", "\r", "#")
        if csv.quote and any(mark in value for mark in special):
            return csv.quote + value.replace(csv.quote, csv.quote * 2) + csv.quote
        return value


@dataclass
class World:
    batch: bool
    settings: dict[str, str]
    tables: list[Table]
    fine: bool  # milliseconds in the rowtime
    late_mode: bool = False  # the mode is set behind the tables

    @property
    def mode(self) -> str:
        return "batch" if self.batch else "streaming"


INT = Type("INT", "int")
BIGINT = Type("BIGINT", "int")
DOUBLE = Type("DOUBLE", "float")
STRING = Type("STRING", "str")
BOOLEAN = Type("BOOLEAN", "bool")
DATE = Type("DATE", "date")
TS3 = Type("TIMESTAMP(3)", "ts", 3)
LTZ3 = Type("TIMESTAMP_LTZ(3)", "ltz", 3)

OTHER_TYPES = [
    BOOLEAN, BOOLEAN, Type("TINYINT", "int"), Type("SMALLINT", "int"), INT, BIGINT, BIGINT,
    Type("DECIMAL(10, 2)", "dec", 2), Type("DECIMAL(5, 0)", "dec", 0), Type("DECIMAL(20, 6)", "dec", 6),
    Type("FLOAT", "float"), DOUBLE, DOUBLE, STRING, STRING, Type("VARCHAR(8)", "str"),
    Type("CHAR(3)", "str"), Type("BYTES", "bytes"), DATE, Type("TIME", "time"),
    Type("TIMESTAMP(0)", "ts", 0), TS3, Type("TIMESTAMP(6)", "ts", 6), Type("TIMESTAMP(9)", "ts", 9), LTZ3,
]
KEY_TYPES = [STRING] * 5 + [INT, INT, BIGINT, Type("SMALLINT", "int"), BOOLEAN, DATE, Type("CHAR(3)", "str"),
                            Type("DECIMAL(10, 2)", "dec", 2), DOUBLE, Type("TIMESTAMP(0)", "ts", 0)]
INT_BITS = {"TINYINT": 7, "SMALLINT": 15, "INT": 31, "BIGINT": 63}
WORDS = ["a", "b", "c", "A", "B", "ab", "abc", "a b", "x%", "_", "é", "日本", "O'Neil", "q\"q", "z,z", " a",
         "b ", "😀", "0", "12", "a-b", "Zürich", "%", "long text that is cut in a table"]
ZONES = ["Asia/Tokyo", "America/New_York", "Europe/Berlin", "Asia/Kolkata", "UTC"]
EPOCH = datetime.datetime(1970, 1, 1)


def time_text(millis: int, digits: int, rng: random.Random | None = None) -> str:
    """yyyy-MM-dd HH:mm:ss with so many digits behind the second."""
    moment = EPOCH + datetime.timedelta(milliseconds=millis)
    text = moment.strftime("%Y-%m-%d %H:%M:%S")
    if digits == 0:
        return text
    fraction = f"{moment.microsecond // 1000:03d}"
    if digits > 3:
        fraction += f"{rng.randrange(1000) if rng else 0:03d}"
    if digits > 6:
        fraction += f"{rng.randrange(1000) if rng else 0:03d}"
    return text + "." + fraction[:digits]


class Values:
    """Random fields of a column: few distinct ones, so that groups form, and now and then an edge."""

    def __init__(self, rng: random.Random, type_: Type, start_ms: int) -> None:
        self.rng = rng
        self.type = type_
        self.start_ms = start_ms
        self.edges = rng.random() < 0.2
        self.pool = [self._fresh() for _ in range(rng.choice([1, 2, 3, 4, 6, 12, 30]))]

    def draw(self) -> str:
        return self.rng.choice(self.pool)

    def _fresh(self) -> str:
        rng = self.rng
        family = self.type.family
        if family == "bool":
            return rng.choice(["true", "false"])
        if family == "int":
            bits = INT_BITS[self.type.sql]
            if self.edges and rng.random() < 0.3:
                return str(rng.choice([-(2 ** bits), 2 ** bits - 1, 2 ** bits - 2, 0, -1]))
            return str(rng.choice([rng.randrange(10), rng.randrange(-9, 100), rng.randrange(100)]))
        if family == "dec":
            return self._decimal()
        if family == "float":
            return self._float()
        if family == "str":
            return self._text()
        if family == "bytes":
            return base64.b64encode(rng.randbytes(rng.randrange(4))).decode()
        if family == "date":
            day = EPOCH + datetime.timedelta(days=self.start_ms // 86400000 + rng.randrange(-3, 40))
            return day.strftime("%Y-%m-%d")
        if family == "time":
            return f"{rng.randrange(24):02d}:{rng.randrange(60):02d}:{rng.randrange(60):02d}"
        millis = self.start_ms + rng.randrange(-3600000, 3600000)
        return time_text(millis, self.type.digits, rng) + ("Z" if family == "ltz" else "")

    def _decimal(self) -> str:
        rng = self.rng
        if self.edges and rng.random() < 0.3:
            precision = int(self.type.sql[8:].split(",")[0])
            return str(Decimal(10 ** precision - 1).scaleb(-self.type.digits))
        scale = rng.randrange(self.type.digits + 1)
        return str(Decimal(rng.randrange(-99, 1000) if scale else rng.randrange(-9, 100)).scaleb(-scale))

    def _float(self) -> str:
        rng = self.rng
        if self.edges and rng.random() < 0.3:
            return rng.choice(["1e7", "1.0E-4", "0.001", "123456789.125", "-0.0", "1e20", "3.4E30"])
        return rng.choice([str(rng.randrange(-9, 100)), f"{rng.uniform(-10, 100):.2f}", f"{rng.random():.5f}"])

    def _text(self) -> str:
        limit = 100
        if "(" in self.type.sql:
            limit = int(self.type.sql.split("(")[1][:-1])
        word = self.rng.choice(WORDS[:9] * 2 + WORDS)[:limit]
        return word.ljust(limit, "x") if self.type.sql.startswith("CHAR") else word


def rowtimes(rng: random.Random, count: int, start_ms: int, fine: bool) -> list[int]:
    """Out of order, with ties, jumps and times that lie just beside a minute's edge."""
    unit = 1 if fine else 1000
    spread = rng.choice([5, 30, 90, 300, 1200]) * 1000 // unit
    now = start_ms // unit
    times = []
    for _ in range(count):
        draw = rng.random()
        if draw < 0.1 and times:
            times.append(times[-1])
            continue
        if draw < 0.2:
            minute = 60000 // unit
            times.append(((now // minute + rng.randrange(-1, 2)) * minute + rng.choice([-1, 0, 1])) * unit)
            continue
        if draw < 0.23:
            now += rng.choice([600, 3600, 7200]) * 1000 // unit
        now += rng.randrange(-spread // 3, spread)
        back = rng.randrange(spread * 3) if rng.random() < 0.25 else 0
        times.append((now - back) * unit)
    return times


def _csv(rng: random.Random) -> Csv:
    csv = Csv()
    if rng.random() < 0.15:
        csv.delimiter = rng.choice([";", ";", "|", "|", "\t"])
        csv.options["csv.field-delimiter"] = {"\t": "\\t"}.get(csv.delimiter, csv.delimiter)
    if rng.random() < 0.03:
        csv.quote = "'"
        csv.options["csv.quote-character"] = "''"
    if rng.random() < 0.6:
        csv.null = rng.choice(["", "", "NULL", "N/A", "-"])
        csv.options["csv.null-literal"] = csv.null
    if rng.random() < 0.08:
        csv.options["csv.ignore-parse-errors"] = "true"
    if rng.random() < 0.05:
        csv.options["csv.allow-comments"] = "true"
        csv.comments = True
    if rng.random() < 0.1:
        csv.newline = "\r\n"
    return csv


def _delay(rng: random.Random, fine: bool) -> str:
    second = rng.choice([0, 0, 1, 5, 5, 5, 10, 30, 60, 90])
    if second == 0:
        return rng.choice(["ts", "ts", "ts - INTERVAL '0' SECOND"])
    if fine and rng.random() < 0.3:
        return f"ts - INTERVAL '{second % 10}.{rng.randrange(1000):03d}' SECOND"
    if second >= 60:
        return f"ts - INTERVAL '{second // 60}' MINUTE" if second % 60 == 0 else "ts - INTERVAL '01:30' MINUTE TO SECOND"
    return f"ts - INTERVAL '{second}' SECOND"


def _table(rng: random.Random, name: str, batch: bool, fine: bool, start_ms: int) -> Table:
    rowtime = Column("ts", rng.choice([TS3] * 7 + [Type("TIMESTAMP(0)", "ts", 0)] * (not fine) + [LTZ3] * 2), True)
    columns = [
        Column("id", rng.choice([INT, BIGINT, BIGINT])),
        Column("k", rng.choice(KEY_TYPES)),
        Column("v", rng.choice([INT] * 5 + OTHER_TYPES)),
    ]
    for index in range(rng.choice([0, 1, 1, 2, 2, 3, 4])):
        columns.append(Column(f"c{index}", rng.choice(OTHER_TYPES)))
    columns.insert(rng.randrange(1, len(columns) + 1), rowtime)
    csv = _csv(rng)
    count = rng.choice([0, 1, 5, 8, 12, 14, 20, 30, 40, 60, 80, 80])
    times = rowtimes(rng, count, start_ms, fine)
    values = {c.name: Values(rng, c.type, start_ms) for c in columns}
    nullable = {c.name: rng.random() < 0.5 for c in columns if csv.null is not None and c.name not in ("id", "ts")}
    rows = []
    for number, millis in enumerate(times):
        row: list[str | None] = []
        for column in columns:
            if column.rowtime:
                digits = 3 if fine else column.type.digits * rng.randrange(2)
                row.append(time_text(millis, digits) + ("Z" if column.type.family == "ltz" else ""))
            elif column.name == "id":
                row.append(str(number + 1))
            elif nullable.get(column.name) and rng.random() < 0.2:
                row.append(None)
            else:
                row.append(values[column.name].draw())
        rows.append(row)
    watermark = None if batch and rng.random() < 0.3 else _delay(rng, fine)
    return Table(name, columns, rows, csv, watermark)


def world(rng: random.Random) -> World:
    batch = rng.random() < 0.3
    fine = not batch and rng.random() < 0.3
    settings = {"sql-client.execution.result-mode": "tableau"}
    if batch or rng.random() < 0.5:
        settings["execution.runtime-mode"] = "batch" if batch else "streaming"
    # A rise of at most the interval waits for a clock, so such data goes with intervals that no
    # clock reaches while the job runs: the outcome stays determined.
    if fine or rng.random() < 0.25:
        settings["pipeline.auto-watermark-interval"] = rng.choice(["0", "0", "0 ms", "10 min", "1 h"])
    if rng.random() < 0.2:
        settings["table.optimizer.agg-phase-strategy"] = rng.choice(["ONE_PHASE", "TWO_PHASE", "AUTO"])
    if rng.random() < 0.35:
        settings["table.local-time-zone"] = rng.choice(ZONES)
    if rng.random() < 0.06:
        settings["sql-client.display.print-time-cost"] = "false"
    if rng.random() < 0.06:
        settings["table.display.max-column-width"] = rng.choice(["10", "15", "60"])
    start = rng.choice(["2026-07-06 09:00:00"] * 6 + ["2026-03-29 00:30:00", "2026-11-01 05:10:00", "2025-12-31 23:50:00",
                       "2024-02-28 23:55:00", "1970-01-01 00:30:00"])
    start_ms = int((datetime.datetime.fromisoformat(start) - EPOCH).total_seconds() * 1000)
    tables = [_table(rng, "t", batch, fine, start_ms)]
    if rng.random() < 0.2:
        tables.append(_table(rng, "u", batch, fine, start_ms))
    return World(batch, settings, tables, fine, batch and rng.random() < 0.08)
