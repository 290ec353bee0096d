"""
A stand-up bot: opens today's session in a Project and asks everyone the same three questions. Run
it once a day. A second run on the same day asks nothing twice.

    python standup_bot.py team [--date 2026-11-16]
"""

from __future__ import annotations

import argparse
from datetime import date

from atrium import Atrium
from atrium.types import Session

QUESTIONS = ["What did you finish?", "What is next?", "What is in your way?"]


def main() -> None:
    parser = argparse.ArgumentParser(description="Ask a Project's members for their standup.")
    parser.add_argument("slug", help="the Project's slug")
    parser.add_argument("--date", type=date.fromisoformat, default=date.today())
    arguments = parser.parse_args()
    with Atrium() as client:
        session = open_standup(client, arguments.slug, arguments.date)
        print(f"{session.name}: {session.id}")


def open_standup(client: Atrium, slug: str, day: date) -> Session:
    """The idempotency keys name the day, so an interrupted run continues where it stopped."""
    name = f"Standup {day.isoformat()}"
    named = (session for session in client.sessions.list(slug) if session.name == name)
    session = next(named, None) or client.sessions.create(
        slug, name=name, idempotency_key=f"standup-{slug}-{day}"
    )
    asked = {message.body for message in client.messages.list(slug, session.id)}
    for number, question in enumerate(QUESTIONS):
        if question not in asked:
            key = f"standup-{slug}-{day}-{number}"
            client.messages.post(slug, session.id, body=question, idempotency_key=key)
    return session


if __name__ == "__main__":
    main()
