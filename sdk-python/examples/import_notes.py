"""
Imports a folder of notes into memory: one memory per paragraph of every Markdown or text file.
A second run skips the paragraphs that are already stored.

    python import_notes.py ~/notes [--project <id>] [--tag notes]
"""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Iterator
from pathlib import Path

from atrium import AsyncAtrium

AT_ONCE = 5
MAX_CONTENT = 10_000


def main() -> None:
    parser = argparse.ArgumentParser(description="Import notes into memory.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--project", help="a Project's id; only its members can see the notes")
    parser.add_argument("--tag", default="notes")
    arguments = parser.parse_args()
    count = asyncio.run(import_notes(arguments.folder, arguments.project, arguments.tag))
    print(f"{count} paragraphs imported")


async def import_notes(folder: Path, project_id: str | None, tag: str) -> int:
    async with AsyncAtrium(max_retries=5) as client:
        known = {memory.content async for memory in client.memory.list(tag=tag, limit=100)}
        new = [text for text in dict.fromkeys(paragraphs(folder)) if text not in known]
        slots = asyncio.Semaphore(AT_ONCE)

        async def remember(text: str) -> None:
            async with slots:
                await client.memory.create(
                    content=text,
                    visibility="PROJECT" if project_id else "ORG",
                    project_id=project_id,
                    tags=[tag],
                )

        await asyncio.gather(*map(remember, new))
        return len(new)


def paragraphs(folder: Path) -> Iterator[str]:
    for file in sorted(folder.rglob("*")):
        if file.suffix not in (".md", ".txt"):
            continue
        for paragraph in file.read_text(encoding="utf-8", errors="replace").split("\n\n"):
            if text := paragraph.strip():
                yield text[:MAX_CONTENT]


if __name__ == "__main__":
    main()
