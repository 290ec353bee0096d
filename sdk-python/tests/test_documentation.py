"""The README's code and the examples run, against a real server."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from atrium import Atrium

from .server import ROOT, Server

SDK = ROOT / "sdk-python"


def test_the_readme(
    server: Server, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ATRIUM_API_KEY", server.key)
    monkeypatch.setenv("ATRIUM_BASE_URL", server.base_url)
    blocks = re.findall(r"^```python\n(.*?)^```", (SDK / "README.md").read_text(), re.S | re.M)
    assert len(blocks) == 11
    scope: dict[str, object] = {"__name__": "readme"}
    for number, block in enumerate(blocks, 1):
        exec(compile(block, f"README.md, block {number}", "exec"), scope)
    printed = capsys.readouterr().out
    for expected in (
        r"12 EUR a seat",
        r"^2 of 2$",
        r"^recall COMPLETED ",
        r"^2 3 True$",
        r"^19 of 19 bytes$",
        r"^seats$",
        r"^slug_taken pricing-2027 \S+$",
        r"^\['body.name', 'body.tags\[0\]'\]$",
        r"^NOT_FOUND 404$",
        r"^pricing-2027$",
        r"on Thursdays",
    ):
        assert re.search(expected, printed, re.M), f"{expected} is not in:\n{printed}"


def test_the_examples(server: Server, tmp_path: Path) -> None:
    with Atrium(server.key, base_url=server.base_url) as client:
        slug = client.projects.create(name="Examples").slug
        first = run(server, "standup_bot.py", slug, "--date", "2026-11-16")
        assert first.startswith("Standup 2026-11-16: c")
        assert run(server, "standup_bot.py", slug, "--date", "2026-11-16") == first
        session_id = first.split()[-1]
        asked = [message.body for message in client.messages.list(slug, session_id)]
        assert asked[0] == "What is in your way?"
        assert len(asked) == 3

        notes = tmp_path / "more"
        notes.mkdir()
        (notes / "a.md").write_text("# Coffee\n\nThe machine is descaled on Fridays.\n\n\n")
        (notes / "b.txt").write_text("The spare key is with Grace.")
        (notes / "c.bin").write_bytes(b"\xff\xfe")
        assert run(server, "import_notes.py", str(tmp_path)) == "3 paragraphs imported\n"
        assert run(server, "import_notes.py", str(tmp_path)) == "0 paragraphs imported\n"

        said = run(server, "cli_chat.py", slug, typed="who has the spare key?\n")
        assert "recall: " in said
        assert "Grace" in said


def run(server: Server, *words: str, typed: str = "") -> str:
    done = subprocess.run(
        [sys.executable, str(SDK / "examples" / words[0]), *words[1:]],
        input=typed,
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, "ATRIUM_API_KEY": server.key, "ATRIUM_BASE_URL": server.base_url},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
