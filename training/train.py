"""Trains the upper layers and the token projection. Writes what the server ships."""

from __future__ import annotations

import argparse
import json
import random
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from evaluate import Trained, compare, figures
from haystacks import Haystack, load, punctuation, read_vocabulary
from model import (
    HIDDEN,
    LAYERS,
    MiniLM,
    late_interaction,
    pool,
    read_safetensors,
    write_safetensors,
)
from torch import Tensor

SETS = ("squad", "friends", "qmsum", "spc")
EVALUATED = ("eval-locomo", "eval-realtalk", "eval-friends", "eval-squad")
SEEDS = (7, 8, 9)
TRAINED_LAYERS = 4
DIMENSIONS = 96
EPOCHS = 3
MOST_QUESTIONS = 128
MOST_MEMORIES = 480
DROPOUT = 0.1
RATES = {"layers": 1e-4, "projection": 5e-4, "emphasis": 2e-3, "fusion": 5e-3}
WARM_UP = 50
# How much pooled vectors are kept near those of the original model.
KEEP = 1.2
SWAP_NAMES = 0.5
NAMES = """
alice beth clara diana elena ella fiona grace hannah iris julia laura leah lucy maya
nora olivia paula rachel rosa ruth sara sofia anna kate emily adam ahmed alex ben carlos
chris daniel david eric felix frank george hugo ivan jack jonas karl kevin leo liam
louis marco mark max nick noah omar oscar paul peter ravi ryan simon steve tom victor
"""


def train(
    seed: int, haystacks: list[Haystack], folder: Path, names: list[int], device: str
) -> Trained:
    random.seed(seed)
    torch.manual_seed(seed)
    model, teacher = (
        MiniLM(read_safetensors(folder / "model.fp16.safetensors")).to(device) for _ in "12"
    )
    teacher.eval()
    lower, upper = range(LAYERS - TRAINED_LAYERS), range(LAYERS - TRAINED_LAYERS, LAYERS)
    for name, parameter in model.named_parameters():
        parameter.requires_grad_(any(f"encoder/layer/{layer}/" in name for layer in upper))
    layers = [parameter for parameter in model.parameters() if parameter.requires_grad]
    projection = torch.nn.Parameter(first_projection(folder).to(device))
    emphasis = torch.nn.Parameter(torch.zeros(HIDDEN, device=device))
    # The parts of the final score, and how sharp each loss is. Not shipped.
    fusion = torch.nn.Parameter(torch.tensor([0.18, 0.14, 0.68], device=device).log())
    scales = torch.nn.Parameter(torch.tensor([40.0, 40.0, 20.0], device=device).log())
    adam = torch.optim.AdamW(
        [
            {"params": layers, "lr": RATES["layers"]},
            {"params": [projection], "lr": RATES["projection"]},
            {"params": [emphasis], "lr": RATES["emphasis"]},
            {"params": [fusion, scales], "lr": RATES["fusion"], "weight_decay": 0.0},
        ],
        weight_decay=0.01,
        betas=(0.9, 0.98),
    )
    rates = [group["lr"] for group in adam.param_groups]
    plan = [each for _ in range(EPOCHS) for each in random.sample(haystacks, len(haystacks))]
    for step, haystack in enumerate(plan):
        share = min(1, (step + 1) / WARM_UP) * max(0.02, 1 - step / len(plan))
        for group, rate in zip(adam.param_groups, rates, strict=True):
            group["lr"] = rate * share
        model.train()
        batch = draw(haystack, names, device)
        with torch.autocast(device, torch.bfloat16, enabled=device == "cuda"):
            with torch.no_grad():
                memories, queries = (
                    teacher.run(teacher.embed(ids), mask, lower)
                    for ids, mask in (
                        (batch.memories, batch.memory_mask),
                        (batch.queries, batch.query_mask),
                    )
                )
                kept = [
                    pool(teacher.run(states, mask, upper).float(), mask)
                    for states, mask in ((memories, batch.memory_mask), (queries, batch.query_mask))
                ]
            memories = model.run(memories, batch.memory_mask, upper, DROPOUT)
            queries = model.run(queries, batch.query_mask, upper, DROPOUT)
            tokens = [(states @ projection).float() for states in (queries, memories)]
        pooled = [
            pool(memories.float(), batch.memory_mask),
            pool(queries.float(), batch.query_mask),
        ]
        cosine = pooled[1] @ pooled[0].T
        weights = batch.weights * torch.exp(queries.float() @ emphasis)
        query_tokens, memory_tokens = (F.normalize(each, dim=-1) for each in tokens)
        late = late_interaction(query_tokens, weights, memory_tokens, batch.is_kept)
        vector, words, rerank = fusion.exp() / fusion.exp().sum()
        fused = vector * cosine + words * batch.lexical + rerank * late
        sharp = scales.exp()
        loss = (
            listwise(sharp[0] * late, batch)
            + listwise(sharp[1] * fused, batch)
            + 0.5 * listwise(sharp[2] * cosine, batch)
        )
        nearness = sum(((new * old).sum(1).mean() for new, old in zip(pooled, kept, strict=True)))
        loss = loss + KEEP * (2 - nearness)
        adam.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(layers, 1.0)
        adam.step()
        if (step + 1) % 200 == 0:
            print(
                f"seed {seed}: step {step + 1} of {len(plan)}, loss {loss.item():.3f}", flush=True
            )
    return Trained(model, projection.detach(), emphasis.detach())


def first_projection(folder: Path) -> Tensor:
    """What the server has, if it is there; else random directions."""
    file = folder / "token-projection.bin"
    if file.exists():
        values = np.fromfile(file, np.float16).astype(np.float32).reshape(HIDDEN, -1)
        return torch.from_numpy(values[:, :DIMENSIONS].copy())
    return torch.linalg.qr(torch.randn(HIDDEN, DIMENSIONS)).Q


class Batch:
    """Some questions of a haystack, with all its memories or as many as fit."""

    def __init__(self, haystack: Haystack, questions: Tensor, memories: Tensor) -> None:
        longest_query = int(haystack.query_mask[questions].sum(1).max())
        longest_memory = int(haystack.memory_mask[memories].sum(1).max())
        self.queries = haystack.queries[questions, :longest_query]
        self.query_mask = haystack.query_mask[questions, :longest_query]
        self.weights = haystack.weights[questions, :longest_query]
        self.memories = haystack.memories[memories, :longest_memory]
        self.memory_mask = haystack.memory_mask[memories, :longest_memory]
        self.is_kept = haystack.is_kept[memories, :longest_memory]
        self.lexical = haystack.lexical[questions][:, memories]
        self.is_answer = haystack.is_answer[questions][:, memories]
        self.is_unsure = haystack.is_unsure[questions][:, memories] & ~self.is_answer


def draw(haystack: Haystack, names: list[int], device: str) -> Batch:
    questions = torch.randperm(len(haystack.queries))[:MOST_QUESTIONS].to(device)
    is_answer = haystack.is_answer[questions].any(0)
    answers, others = is_answer.nonzero()[:, 0], (~is_answer).nonzero()[:, 0]
    room = max(0, MOST_MEMORIES - len(answers))
    others = others[torch.randperm(len(others), device=device)[:room]]
    batch = Batch(haystack, questions, torch.cat([answers, others]))
    if haystack.source == "spc" and random.random() < SWAP_NAMES:
        swap_names(batch, names, device)
    return batch


def swap_names(batch: Batch, names: list[int], device: str) -> None:
    """Nothing is to be learnt about the names of speakers, which memories begin with."""
    speakers = batch.memories[:, 1].unique().tolist()
    if len(speakers) > 3:
        return
    table = torch.arange(30522, device=device)
    for speaker in speakers:
        table[speaker] = random.choice(names)
    batch.memories, batch.queries = table[batch.memories], table[batch.queries]


def listwise(score: Tensor, batch: Batch) -> Tensor:
    """Each answer against everything that is not one."""
    score = score.masked_fill(batch.is_unsure, -1e4)
    others = torch.logsumexp(score.masked_fill(batch.is_answer, -1e4), 1, keepdim=True)
    answers = batch.is_answer.float()
    loss = (torch.logaddexp(score, others) - score) * answers
    return (loss.sum(1) / answers.sum(1).clamp(min=1)).mean()


def average(runs: list[Trained]) -> Trained:
    """The mean of the runs, rounded to half precision as it is shipped."""
    first = runs[0]
    parameters = [dict(run.model.named_parameters()) for run in runs]
    with torch.no_grad():
        for name, parameter in parameters[0].items():
            mean = torch.stack([each[name] for each in parameters]).mean(0)
            parameter.copy_(mean.half().float())
    first.projection = torch.stack([run.projection for run in runs]).mean(0).half().float()
    first.emphasis = torch.stack([run.emphasis for run in runs]).mean(0).half().float()
    return first


def ship(trained: Trained, folder: Path) -> None:
    """The two files that are in server/src/adapters/embeddings/local."""
    layers = {
        name.removeprefix("weights.").replace("/", "."): parameter
        for name, parameter in trained.model.named_parameters()
        if parameter.requires_grad
    }
    folder.mkdir(parents=True, exist_ok=True)
    write_safetensors(folder / "trained-layers.safetensors", layers)
    matrix = torch.cat([trained.projection, trained.emphasis[:, None]], 1)
    matrix.cpu().numpy().astype(np.float16).tofile(folder / "token-projection.bin")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="what prepare.ts has written")
    parser.add_argument(
        "--model", type=Path, required=True, help="the folder of the original model"
    )
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    vocabulary = read_vocabulary(options.model)
    marks = punctuation(vocabulary)
    haystacks = [each for name in SETS for each in load(options.data, name, marks, device)]
    names = [vocabulary[name] for name in NAMES.split() if name in vocabulary]
    trained = average([train(seed, haystacks, options.model, names, device) for seed in SEEDS])
    ship(trained, options.out)
    results = {}
    for name in EVALUATED:
        compared = [compare(trained, each) for each in load(options.data, name, marks, device)]
        results[name] = figures(compared)
        print(name, results[name], flush=True)
    (options.out / "figures.json").write_text(json.dumps(results, indent=1))


if __name__ == "__main__":
    main()
