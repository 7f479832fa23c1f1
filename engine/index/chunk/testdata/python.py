#!/usr/bin/env python3
"""Reads invoices."""
from __future__ import annotations

import os
from dataclasses import dataclass

LIMIT = 10
cache: dict[str, "Invoice"] = {}
first, second = 1, 2

if os.name == "nt":
    SEP = "\\"

    def fold(path):
        return path.lower()
else:
    SEP = "/"


# An invoice
# of one customer.
@dataclass(frozen=True)
class Invoice(Base):
    """One invoice."""

    number: int
    total = 0

    class Meta:
        ordering = ["number"]

    def __init__(self, number: int) -> None:
        self.number = number

    @property
    def label(self) -> str:
        """What is printed."""
        return f"#{self.number}"

    @staticmethod
    async def fetch(number):
        def inner(x):
            return x

        return inner(number)


@lru_cache(maxsize=None)
def load(path: str) -> list[Invoice]:
    with open(path) as f:
        return [parse(line) for line in f]


square = lambda x: x * x

if __name__ == "__main__":
    load("x")
