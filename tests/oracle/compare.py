"""Outputs of the client: cut into statements, made comparable, compared.

Bytes are compared, behind ewin-sim normalize. Two things of
Flink are not determined, and only these are compared by a weaker rule:
- A job that fails may or may not have printed its table's header before: the header is left out.
- Rows whose order Flink does not promise: see unordered(); they are compared as a multiset."""

from __future__ import annotations

import re

PROMPT = "Flink SQL> "
ERROR = "\x1b[31;1m[ERROR]"
HEADER = re.compile(r"\+-[-+]*\+\n\|[^\n]*\n\+-[-+]*\+\n(?=\x1b\[31;1m\[ERROR\])")


def statements(output: bytes) -> list[str]:
    """What each statement of a normalized output has printed; the frame's first lines come first, its last ones stand in the last."""
    return output.decode("utf-8", "surrogateescape").split("\n" + PROMPT)


def failed(piece: str) -> bool:
    return ERROR in piece


def error_of(piece: str) -> str:
    """The line that names the error, or nothing."""
    if not failed(piece):
        return ""
    return (piece.split(ERROR, 1)[1].split("\n") + [""])[1]


def kind(piece: str | None) -> str:
    """What sort of result it is: a shrunk query is to keep it."""
    if piece is None:
        return "nothing"
    if failed(piece):
        return "error " + error_of(piece).split(":")[0]
    return "table"


def equal(sim: str, flink: str, any_order: bool) -> bool:
    if sim == flink:
        return True
    if failed(sim) and failed(flink):
        return HEADER.sub("\n", sim).replace("\n\n", "\n") == HEADER.sub("\n", flink).replace("\n\n", "\n")
    return any_order and sorted(sim.split("\n")) == sorted(flink.split("\n"))


def unordered(sql: str, batch: bool) -> bool:
    """Whether the order of the query's rows is left open. In batch mode it follows from sort or hash aggregation, which Flink's
    planner chooses by how many rows it expects; what a WHERE or a DISTINCT leaves of them is known for the measured forms only,
    and no SQL promises an order without ORDER BY."""
    return batch and ("WHERE" in sql or "DISTINCT" in sql) and "ORDER BY" not in sql
