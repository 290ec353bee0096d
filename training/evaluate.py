"""Recall@10, nDCG@10 and MRR@10 of each ranking, with token vectors in 8 bits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from haystacks import Haystack
from model import HIDDEN, RERANK_WEIGHT, VECTOR_WEIGHT, MiniLM, late_interaction, pool, rank
from torch import Tensor

VECTOR_WEIGHTS = (0.4, 0.5, 0.56, 0.62, 0.7)
RERANK_WEIGHTS = (0.5, 0.6, 0.68, 0.76, 0.84, 0.92)


@dataclass
class Trained:
    model: MiniLM
    projection: Tensor
    """The logarithm of a query token's extra weight is its state times this."""
    emphasis: Tensor


@dataclass
class Compared:
    haystack: Haystack
    cosine: Tensor
    late: Tensor


@torch.no_grad()
def compare(trained: Trained, haystack: Haystack) -> Compared:
    model, projection = trained.model.eval(), trained.projection
    memories = encode(model, haystack.memories, haystack.memory_mask)
    queries = encode(model, haystack.queries, haystack.query_mask)
    cosine = pool(queries, haystack.query_mask) @ pool(memories, haystack.memory_mask).T
    weights = haystack.weights * torch.exp(queries @ trained.emphasis)
    late = late_interaction(
        in_8_bits(queries @ projection),
        weights,
        in_8_bits(memories @ projection),
        haystack.is_kept,
        at_once=32,
    )
    return Compared(haystack, cosine, late)


def encode(model: MiniLM, ids: Tensor, mask: Tensor, at_once: int = 256) -> Tensor:
    states = torch.zeros(*ids.shape, HIDDEN, device=ids.device)
    by_length = mask.sum(1).argsort()
    for start in range(0, len(ids), at_once):
        some = by_length[start : start + at_once]
        longest = int(mask[some].sum(1).max())
        states[some, :longest] = model(ids[some, :longest], mask[some, :longest]).float()
    return states


def in_8_bits(vectors: Tensor) -> Tensor:
    scale = 127 / vectors.abs().amax(-1, keepdim=True).clamp(min=1e-9)
    return F.normalize((vectors * scale).round(), dim=-1)


def figures(compared: list[Compared]) -> dict[str, list[float]]:
    def mean(score: Callable[[Compared], Tensor]) -> list[float]:
        marks = torch.cat([marks_of(score(each), each.haystack.is_answer) for each in compared])
        return [round(value, 4) for value in marks.mean(0).tolist()]

    def product(each: Compared, vector: float, rerank: float) -> Tensor:
        return rank(each.cosine, each.haystack.lexical, each.late, vector, rerank)

    grid = {
        f"{vector}/{rerank}": mean(lambda each, v=vector, r=rerank: product(each, v, r))
        for vector in VECTOR_WEIGHTS
        for rerank in RERANK_WEIGHTS
    }
    best = max(grid, key=lambda weights: grid[weights][1])
    return {
        "words": mean(lambda each: each.haystack.lexical),
        "vectors": mean(lambda each: each.cosine),
        "late interaction": mean(lambda each: each.late),
        "product": mean(lambda each: product(each, VECTOR_WEIGHT, RERANK_WEIGHT)),
        f"best weights ({best})": grid[best],
    }


def marks_of(score: Tensor, is_answer: Tensor) -> Tensor:
    """For each question: recall@10, nDCG@10, MRR@10."""
    top = torch.argsort(score, dim=1, descending=True, stable=True)[:, :10]
    hits = torch.gather(is_answer, 1, top).double()
    gains = 1 / torch.log2(torch.arange(top.shape[1], device=score.device).double() + 2)
    answers = is_answer.sum(1).double()
    ideal = torch.stack([gains[: min(10, int(count))].sum() for count in answers])
    first = torch.where(hits.any(1), 1 / (hits.argmax(1) + 1.0), torch.zeros_like(answers))
    return torch.stack([hits.sum(1) / answers, (hits * gains).sum(1) / ideal, first], 1).cpu()
