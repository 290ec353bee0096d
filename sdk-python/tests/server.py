"""The real server on the embedded engine, with its own process and data folder."""

from __future__ import annotations

import json
import os
import re
import subprocess
import tempfile
import threading
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
START_SECONDS = 120
READ_LIMIT = 300


class Server:
    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="atrium-sdk-python-")
        self.data = Path(self._folder.name)
        bundled = ROOT / "node_modules/.bin/node"
        self._process = subprocess.Popen(
            [
                str(bundled) if bundled.exists() else "node",
                "server/src/main.ts",
                "serve",
                "--no-web",
            ],
            cwd=ROOT,
            env={
                "PATH": os.environ["PATH"],
                "HOME": os.environ.get("HOME", ""),
                "DATA_DIR": self._folder.name,
                "PORT": "0",
                "RATE_LIMIT_READS": str(READ_LIMIT),
                "RATE_LIMIT_WRITES": "100000",
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self._lines: list[str] = []
        self._listening = threading.Event()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def wait(self) -> None:
        self._listening.wait(START_SECONDS)
        ports = [re.search(r'"port":(\d+).*"msg":"listening"', line) for line in self._lines]
        port = next((match[1] for match in ports if match), None)
        if port is None:
            raise RuntimeError("the server did not start:\n" + "".join(self._lines[-20:]))
        self.base_url = f"http://127.0.0.1:{port}/api"
        first_run: dict[str, Any] = json.loads((self.data / "first-run.json").read_text())
        self.key: str = first_run["key"]
        self.org_id: str = first_run["orgId"]
        self.user_id: str = first_run["userId"]

    def stop(self) -> None:
        self._process.terminate()
        try:
            self._process.wait(15)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._reader.join(5)
        assert self._process.stdout is not None
        self._process.stdout.close()
        self._folder.cleanup()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.append(line)
            # The welcome message, which names the key file, and the log come in either order.
            output = "".join(self._lines)
            if "first-run.json" in output and '"msg":"listening"' in output:
                self._listening.set()
        self._listening.set()
