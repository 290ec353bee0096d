"""A local server that sends given responses, byte for byte."""

from __future__ import annotations

import json
import socket
import socketserver
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass
class Say:
    """A response. `announced` can exceed the real length; `delay` and `drip` are in seconds."""

    content: bytes = b""
    status: int = 200
    headers: Mapping[str, str] | None = None
    announced: int | None = None
    is_lengthless: bool = False
    delay: float = 0
    drip: float = 0
    is_cut: bool = False
    stays_open: bool = False


@dataclass
class Heard:
    method: str
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


def success(data: object, **more: Any) -> Say:
    envelope = {
        "success": True,
        "data": data,
        "metadata": {"timestamp": "2026-11-15T09:30:00.000Z", "requestId": "in-the-body"},
    }
    return say_json(envelope, **more)


def failure(status: int, code: str, message: str = "No.", **more: Any) -> Say:
    details = more.pop("details", {})
    envelope = {
        "success": False,
        "error": {"code": code, "message": message, "details": details},
        "metadata": {"timestamp": "2026-11-15T09:30:00.000Z", "requestId": "in-the-body"},
    }
    return say_json(envelope, status=status, **more)


def say_json(value: object, **more: Any) -> Say:
    headers = {"Content-Type": "application/json; charset=utf-8", **more.pop("headers", {})}
    return Say(json.dumps(value).encode(), headers=headers, **more)


class FakeServer(socketserver.ThreadingTCPServer):
    """Sends its responses in order, then repeats the last one."""

    daemon_threads = True
    allow_reuse_address = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.answers: list[Say] = []
        self.stream: Say | None = None
        """The answer to requests for events, if there is one."""
        self.stopping = threading.Event()
        self.heard: list[Heard] = []
        self.lock = threading.Lock()
        self.base_url = f"http://127.0.0.1:{self.server_address[1]}/api"
        self._thread = threading.Thread(target=self.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()

    def says(self, *answers: Say) -> None:
        self.answers = list(answers)
        self.heard = []

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignores clients that disconnect, as some tests do."""

    def stop(self) -> None:
        self.stopping.set()
        self.shutdown()
        self.server_close()
        self._thread.join()


class _Handler(socketserver.StreamRequestHandler):
    server: FakeServer

    def handle(self) -> None:
        line = self.rfile.readline().decode().split()
        if len(line) != 3:
            return
        headers: dict[str, str] = {}
        while (header := self.rfile.readline().decode("latin-1").strip()) != "":
            name, _, value = header.partition(":")
            headers[name.lower()] = value.strip()
        body = self.rfile.read(int(headers.get("content-length", "0")))
        with self.server.lock:
            self.server.heard.append(Heard(line[0], line[1], headers, body))
            answers = self.server.answers
            if self.server.stream and line[1].endswith("/events"):
                answer = self.server.stream
            else:
                answer = answers.pop(0) if len(answers) > 1 else answers[0]
        time.sleep(answer.delay)
        if answer.is_cut:
            # The client sees a reset, not a normal end.
            self.request.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")
            return
        self.wfile.write(self._head(answer))
        if not answer.drip:
            self.wfile.write(answer.content)
            if answer.stays_open:
                self.server.stopping.wait()
            return
        for byte in answer.content:
            self.wfile.write(bytes([byte]))
            time.sleep(answer.drip)

    def _head(self, answer: Say) -> bytes:
        length = len(answer.content) if answer.announced is None else answer.announced
        headers = {"X-Request-Id": f"request-{len(self.server.heard)}", "Connection": "close"}
        if not answer.is_lengthless and answer.status != 204:
            headers["Content-Length"] = str(length)
        headers |= answer.headers or {}
        lines = [f"HTTP/1.1 {answer.status} Whatever"]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        return ("\r\n".join(lines) + "\r\n\r\n").encode()
