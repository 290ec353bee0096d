"""all-MiniLM-L6-v2 in plain PyTorch, and the product's two rankings."""

from __future__ import annotations

import json
import struct
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

HIDDEN, HEADS, LAYERS, EPSILON = 384, 12, 6, 1e-12
CLS, SEP = 101, 102
VOCABULARY = 30522
# As in server/src/features/memory/search/ranking.ts.
VECTOR_WEIGHT, LEXICAL_WEIGHT, RERANK_WEIGHT, RERANKED = 0.7, 0.3, 0.68, 50


def read_safetensors(path: Path) -> dict[str, Tensor]:
    raw = path.read_bytes()
    (length,) = struct.unpack("<Q", raw[:8])
    types = {"F16": np.float16, "F32": np.float32}
    tensors = {}
    for name, tensor in json.loads(raw[8 : 8 + length]).items():
        if name == "__metadata__" or tensor["dtype"] not in types:
            continue
        start, end = (8 + length + offset for offset in tensor["data_offsets"])
        values = np.frombuffer(raw[start:end], types[tensor["dtype"]]).astype(np.float32)
        tensors[name] = torch.from_numpy(values.reshape(tensor["shape"]).copy())
    return tensors


def write_safetensors(path: Path, tensors: dict[str, Tensor]) -> None:
    """In half precision."""
    header, parts, at = {}, [], 0
    for name in sorted(tensors):
        data = tensors[name].detach().cpu().half().contiguous().numpy().tobytes()
        shape = list(tensors[name].shape)
        header[name] = {"dtype": "F16", "shape": shape, "data_offsets": [at, at + len(data)]}
        parts.append(data)
        at += len(data)
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(struct.pack("<Q", len(text)) + text + b"".join(parts))


class MiniLM(torch.nn.Module):
    """Parameters keep the names of the file, with `/` for `.`, which names can't have."""

    def __init__(self, weights: dict[str, Tensor]) -> None:
        super().__init__()
        self.weights = torch.nn.ParameterDict(
            {
                name.replace(".", "/"): torch.nn.Parameter(value)
                for name, value in weights.items()
                if not name.startswith("pooler")
            }
        )

    def get(self, name: str) -> Tensor:
        return self.weights[name.replace(".", "/")]

    def linear(self, states: Tensor, name: str) -> Tensor:
        return F.linear(states, self.get(f"{name}.weight"), self.get(f"{name}.bias"))

    def norm(self, states: Tensor, name: str) -> Tensor:
        weight, bias = self.get(f"{name}.weight"), self.get(f"{name}.bias")
        return F.layer_norm(states, (HIDDEN,), weight, bias, EPSILON)

    def embed(self, ids: Tensor) -> Tensor:
        words = F.embedding(ids, self.get("embeddings.word_embeddings.weight"))
        places = self.get("embeddings.position_embeddings.weight")[: ids.shape[1]]
        kind = self.get("embeddings.token_type_embeddings.weight")[0]
        return self.norm(words + places + kind, "embeddings.LayerNorm")

    def run(self, states: Tensor, mask: Tensor, layers: range, dropout: float = 0.0) -> Tensor:
        texts, tokens, _ = states.shape
        hidden = torch.zeros_like(mask, dtype=states.dtype).masked_fill(mask == 0, -1e4)
        for layer in layers:
            name = f"encoder.layer.{layer}"
            query, key, value = (
                self.linear(states, f"{name}.attention.self.{part}")
                .view(texts, tokens, HEADS, -1)
                .transpose(1, 2)
                for part in ("query", "key", "value")
            )
            bias = hidden[:, None, None, :].to(query.dtype).expand(texts, HEADS, tokens, tokens)
            mixed = F.scaled_dot_product_attention(query, key, value, attn_mask=bias)
            mixed = mixed.transpose(1, 2).reshape(texts, tokens, HIDDEN)
            mixed = self.linear(mixed, f"{name}.attention.output.dense")
            mixed = F.dropout(mixed, dropout, self.training)
            states = self.norm(mixed + states, f"{name}.attention.output.LayerNorm")
            wide = F.gelu(self.linear(states, f"{name}.intermediate.dense"))
            narrow = self.linear(wide, f"{name}.output.dense")
            narrow = F.dropout(narrow, dropout, self.training)
            states = self.norm(narrow + states, f"{name}.output.LayerNorm")
        return states

    def forward(self, ids: Tensor, mask: Tensor) -> Tensor:
        return self.run(self.embed(ids), mask, range(LAYERS))


def pool(states: Tensor, mask: Tensor) -> Tensor:
    """The mean of a text's states, at unit length."""
    weights = mask[..., None].to(states.dtype)
    return F.normalize((states * weights).sum(1) / weights.sum(1), dim=-1)


def late_interaction(
    queries: Tensor, weights: Tensor, memories: Tensor, is_kept: Tensor, at_once: int = 64
) -> Tensor:
    """For each query and memory, the weighted mean over the query's tokens of the best cosine.

    `queries` [Q, T, d] and `memories` [N, S, d] are of unit length.
    """
    flat = memories.reshape(-1, memories.shape[-1])
    nothing = torch.where(is_kept, 0.0, -1e4).to(memories.dtype)[None, None]
    scores = []
    for start in range(0, len(queries), at_once):
        some, weight = queries[start : start + at_once], weights[start : start + at_once]
        shape = (*some.shape[:2], *memories.shape[:2])
        cosines = (some.reshape(-1, some.shape[-1]) @ flat.T).view(shape) + nothing
        best = cosines.amax(-1).clamp(min=0).float()
        total = weight.sum(1).clamp(min=1e-6)[:, None]
        scores.append((best * weight[:, :, None]).sum(1) / total)
    return torch.cat(scores)


def rank(
    cosine: Tensor, lexical: Tensor, late: Tensor, vector_weight: float, rerank: float
) -> Tensor:
    """As the product ranks: the best of the first ranking are ranked again, the rest stay below."""
    first = vector_weight * cosine + (1 - vector_weight) * lexical
    top = torch.topk(first, min(RERANKED, first.shape[1]), dim=1).indices
    again = rerank * late + (1 - rerank) * first
    return (first - 10).scatter(1, top, torch.gather(again, 1, top))
