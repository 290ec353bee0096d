"""
Measures the overhead of the Python SDK, compared with bare httpx that sends the same request and
parses the same response. Only the client's CPU time counts, so a busy machine changes little.

    python bench/sdk-python.py [calls]

Install the SDK first: `pip install ./sdk-python`. Results are printed and never committed.
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection

import httpx

from atrium import AsyncAtrium, Atrium

ROUNDS = 7
KEY = "atr_" + "a" * 46
HEADERS = {"Authorization": f"Bearer {KEY}"}
PROJECT = {
    "id": "cmf3k2v8q0001x5p7h9d4t6wz",
    "slug": "pricing-2027",
    "name": "Pricing 2027",
    "description": "What we charge, and why.",
    "tags": ["finance"],
    "access": "ORG",
    "createdById": "cmf3k2v8q0000x5p7h9d4t6wz",
    "createdAt": "2026-11-15T09:30:00.000Z",
    "updatedAt": "2026-11-15T09:30:00.000Z",
    "archivedAt": None,
}
METADATA = {"timestamp": "2026-11-15T09:30:00.000Z", "requestId": "b7c1a0de"}
LIST = {"items": [PROJECT] * 50, "total": 50, "page": 1, "limit": 50}
ANSWERS = {
    b"GET /api/projects/": {"success": True, "data": PROJECT, "metadata": METADATA},
    b"POST /api/projects ": {"success": True, "data": PROJECT, "metadata": METADATA},
    b"GET /api/projects?": {"success": True, "data": LIST, "metadata": METADATA},
}


def main() -> None:
    calls = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    with running_server() as url:
        compare_sync(url, calls)
        asyncio.run(compare_async(url, calls))


def compare_sync(url: str, calls: int) -> None:
    bodies = {"name": "Pricing 2027", "tags": ["finance"]}
    with httpx.Client(headers=HEADERS) as bare, Atrium(KEY, base_url=url) as client:
        one = f"{url}/projects/{PROJECT['id']}"
        compare(
            "one record (GET)",
            calls,
            lambda: bare.get(one).json(),
            lambda: client.projects.get(str(PROJECT["id"])),
        )
        compare(
            "create (POST)",
            calls,
            lambda: bare.post(f"{url}/projects", json=bodies).json(),
            lambda: client.projects.create(name="Pricing 2027", tags=["finance"]),
        )
        compare(
            "a page of 50 (GET)",
            calls,
            lambda: bare.get(f"{url}/projects?limit=50").json(),
            lambda: client.projects.list(limit=50),
        )


async def compare_async(url: str, calls: int) -> None:
    async with (
        httpx.AsyncClient(headers=HEADERS) as bare,
        AsyncAtrium(KEY, base_url=url) as client,
    ):
        one = f"{url}/projects/{PROJECT['id']}"

        async def ask() -> object:
            return (await bare.get(one)).json()

        async def ask_sdk() -> object:
            return await client.projects.get(str(PROJECT["id"]))

        async def seconds(call: Callable[[], Awaitable[object]]) -> float:
            started = time.process_time()
            for _ in range(calls):
                await call()
            return (time.process_time() - started) / calls

        rounds = [(await seconds(ask), await seconds(ask_sdk)) for _ in range(ROUNDS)]
        report("one record, async (GET)", rounds)


def compare(name: str, calls: int, bare: Callable[[], object], sdk: Callable[[], object]) -> None:
    """Alternates between the two, so that other work on the machine affects both."""

    def seconds(call: Callable[[], object]) -> float:
        started = time.process_time()
        for _ in range(calls):
            call()
        return (time.process_time() - started) / calls

    bare(), sdk()
    report(name, [(seconds(bare), seconds(sdk)) for _ in range(ROUNDS)])


def report(name: str, rounds: list[tuple[float, float]]) -> None:
    """Takes the fastest round of each: other work on the machine can only add time."""
    bare, sdk = (min(times) * 1e6 for times in zip(*rounds, strict=True))
    added = f"{sdk - bare:+.0f} µs"
    sys.stdout.write(
        f"{name:26} httpx {bare:6.0f} µs, SDK {sdk:6.0f} µs ({added}): {sdk / bare:.2f}\n"
    )


@contextmanager
def running_server() -> Iterator[str]:
    """Runs the server in its own process, so that it doesn't compete with the client."""
    ours, theirs = multiprocessing.Pipe()
    process = multiprocessing.Process(target=serve, args=(theirs,), daemon=True)
    process.start()
    yield ours.recv()
    process.terminate()
    process.join()


def serve(ready: Connection) -> None:
    """A minimal server that keeps connections open."""
    packed = {}
    for start, value in ANSWERS.items():
        body = json.dumps(value).encode()
        head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}"
        packed[start] = head.encode() + b"\r\nX-Request-Id: b7c1a0de\r\n\r\n" + body

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                length = head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0]
                if length:
                    await reader.readexactly(int(length))
                writer.write(next(text for start, text in packed.items() if head.startswith(start)))
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    async def run() -> None:
        server = await asyncio.start_server(answer, "127.0.0.1", 0)
        ready.send(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/api")
        await server.serve_forever()

    asyncio.run(run())


if __name__ == "__main__":
    main()
