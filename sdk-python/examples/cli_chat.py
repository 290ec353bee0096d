"""
A chat on the command line. Each line you type is posted to a session, and the model replies.

    python cli_chat.py team [--model recall]

An empty line or Ctrl-D ends the chat.
"""

from __future__ import annotations

import argparse
import sys
from datetime import datetime

from atrium import Atrium, AtriumError


def main() -> None:
    parser = argparse.ArgumentParser(description="Chat with a model in a Project.")
    parser.add_argument("slug", help="the Project's slug")
    parser.add_argument(
        "--model", default="model", help="the model to ask; client.models.list() lists them"
    )
    arguments = parser.parse_args()
    try:
        with Atrium() as client:
            chat(client, arguments.slug, arguments.model)
    except AtriumError as error:
        sys.exit(f"{error} (request {error.request_id})" if error.request_id else str(error))


def chat(client: Atrium, slug: str, model: str) -> None:
    session = client.sessions.create(slug, name=f"Chat, {datetime.now():%Y-%m-%d %H:%M}")
    while line := ask():
        answer = client.messages.post_and_wait(slug, session.id, body=f"@{model} {line}")
        for reply in answer.replies:
            print(f"{reply.agent_slug}: {reply.body}")
        if not answer.is_complete:
            print("(no reply yet; it will appear in the session)")


def ask() -> str:
    try:
        return input("> ").strip()
    except EOFError:
        return ""


if __name__ == "__main__":
    main()
