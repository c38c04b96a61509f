"""SQL as a tree of text that can be taken apart: what the generator builds and the shrinker prunes.

A Seq knows which of its parts may go, so that the shrinker needs no grammar: it drops parts and puts
a child in its parent's place; what makes no sense is refused by Flink, and that is no longer the
difference that is looked for."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Iterator, Union

Part = Union[str, "Seq"]


@dataclass
class Seq:
    """Parts with something between them; empty parts vanish, and so does a Seq without any."""

    parts: list[Part]
    sep: str = ""
    head: str = ""
    tail: str = ""
    keep: int = -1  # so many parts stay at least; -1: all of them
    removable: bool = field(init=False)

    def __post_init__(self) -> None:
        self.removable = self.keep >= 0

    def __str__(self) -> str:
        texts = [text for part in self.parts if (text := str(part))]
        return self.head + self.sep.join(texts) + self.tail if texts else ""


def items(parts: list[Part], sep: str = ", ", head: str = "", keep: int = 1, tail: str = "") -> Seq:
    """A list of which all but keep parts may go."""
    return Seq(parts, sep, head, tail, keep)


def call(name: str, *args: Part) -> Seq:
    """NAME(arg, arg); an argument may take the call's place, none may go."""
    return Seq(list(args), ", ", name + "(", ")")


def joined(*parts: Part) -> Seq:
    """The parts as they are, one behind the other."""
    return Seq(list(parts))


def lines(*parts: Part) -> Seq:
    """The clauses of a query, a line each."""
    return Seq(list(parts), "\n")


def _without(seq: Seq, index: int) -> Seq:
    parts = seq.parts[:index] + seq.parts[index + 1:]
    return Seq(parts, seq.sep, seq.head, seq.tail, seq.keep)


def _with(seq: Seq, index: int, part: Part) -> Seq:
    parts = seq.parts[:index] + [part] + seq.parts[index + 1:]
    return Seq(parts, seq.sep, seq.head, seq.tail, seq.keep)


def smaller(seq: Seq) -> Iterator[Part]:
    """Trees that are one step smaller, the big steps first."""
    for part in seq.parts:
        if isinstance(part, Seq) and not seq.removable:
            yield part
    if seq.removable and len(seq.parts) > seq.keep:
        if seq.keep == 0 and len(seq.parts) > 1:
            yield ""
        for index in range(len(seq.parts) - 1, -1, -1):
            yield _without(seq, index)
    for index, part in enumerate(seq.parts):
        if isinstance(part, Seq):
            for less in smaller(part):
                yield _with(seq, index, less)
