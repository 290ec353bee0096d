"""The data that prepare/prepare.ts has written."""

from __future__ import annotations

import gzip
import json
import unicodedata
from pathlib import Path
from typing import Any

import torch
from model import CLS, SEP, VOCABULARY
from torch import Tensor

LONGEST_TRAINED = 126
LONGEST_EVALUATED = 254


class Haystack:
    """Memories and questions about them, with everything that doesn't depend on the model."""

    def __init__(self, line: dict[str, Any], is_punctuation: Tensor) -> None:
        self.source: str = line["source"]
        longest = LONGEST_EVALUATED if self.source.startswith("eval") else LONGEST_TRAINED
        memories = [[CLS, *ids[:longest], SEP] for ids in line["memories"]]
        questions = line["questions"]
        asked = [[CLS, *question["ids"], SEP] for question in questions]
        self.memories, self.memory_mask = pad(memories), pad([[1] * len(ids) for ids in memories])
        self.is_kept = self.memory_mask.bool() & ~is_punctuation[self.memories]
        self.queries, self.query_mask = pad(asked), pad([[1] * len(ids) for ids in asked])
        weights = [[0.0, *question["weights"], 0.0] for question in questions]
        self.weights = pad(weights, torch.float32)
        self.lexical = words_in_common(line)
        self.is_answer = marked([question["answers"] for question in questions], len(memories))
        self.is_unsure = marked([question["unsure"] for question in questions], len(memories))

    def to(self, device: str) -> Haystack:
        for name, value in vars(self).items():
            if torch.is_tensor(value):
                setattr(self, name, value.to(device))
        return self


def load(folder: Path, name: str, is_punctuation: Tensor, device: str) -> list[Haystack]:
    with gzip.open(folder / f"{name}.jsonl.gz", "rt") as file:
        return [Haystack(json.loads(line), is_punctuation).to(device) for line in file]


def read_vocabulary(folder: Path) -> dict[str, int]:
    vocabulary: dict[str, int] = json.loads((folder / "tokenizer.json").read_text())["model"][
        "vocab"
    ]
    return vocabulary


def punctuation(vocabulary: dict[str, int]) -> Tensor:
    """Tokens without a vector of their own: marks, and the model's special ones."""
    table = torch.zeros(VOCABULARY, dtype=torch.bool)
    table[[0, CLS, SEP]] = True
    for token, number in vocabulary.items():
        is_mark = len(token) == 1 and (
            unicodedata.category(token).startswith("P") or (token.isascii() and not token.isalnum())
        )
        table[number] |= is_mark
    return table


def pad(rows: list[list[Any]], dtype: torch.dtype = torch.long) -> Tensor:
    padded = torch.zeros((len(rows), max(map(len, rows))), dtype=dtype)
    for at, row in enumerate(rows):
        padded[at, : len(row)] = torch.as_tensor(row, dtype=dtype)
    return padded


def words_in_common(line: dict[str, Any]) -> Tensor:
    memories = torch.zeros(len(line["memories"]), max(1, line["terms"]))
    for at, terms in enumerate(line["memoryTerms"]):
        for column, weight in terms:
            memories[at, column] = weight
    queries = torch.zeros(len(line["questions"]), max(1, line["terms"]))
    for at, question in enumerate(line["questions"]):
        whole = sum(rarity for _, rarity in question["terms"]) or 1
        for column, rarity in question["terms"]:
            queries[at, column] = rarity / whole
    return (queries @ memories.T).clamp(max=1)


def marked(places: list[list[int]], memories: int) -> Tensor:
    table = torch.zeros(len(places), memories, dtype=torch.bool)
    for at, some in enumerate(places):
        table[at, some] = True
    return table
