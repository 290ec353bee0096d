# Generated from ../_sync/billing.py by scripts/generate.ts. Change that file, not this one.
from __future__ import annotations

from datetime import date

from .._namespace import AsyncNamespace
from .._options import RequestOptions
from .._pages import AsyncPager
from .._typing import Unpack
from ..types import (
    BillingInterval,
    Credits,
    HostedPage,
    LedgerEntry,
    LedgerPage,
    PaidPlan,
    TopupPack,
    Usage,
    UsageList,
)


class AsyncBilling(AsyncNamespace):
    """Credits, and what the answers of models take."""

    async def checkout(
        self,
        *,
        plan: PaidPlan,
        interval: BillingInterval | None = None,
        success_url: str | None = None,
        cancel_url: str | None = None,
        **options: Unpack[RequestOptions],
    ) -> HostedPage:
        """A page on which the owner subscribes to a plan."""
        body = {
            "plan": plan,
            "interval": interval,
            "successUrl": success_url,
            "cancelUrl": cancel_url,
        }
        return await self._call(HostedPage, "POST", "/billing/checkout", body=body, options=options)

    async def topup(
        self,
        *,
        pack: TopupPack | None = None,
        credits: int | None = None,
        **options: Unpack[RequestOptions],
    ) -> HostedPage:
        """A page on which to buy credits: give a pack or a number, not both."""
        body = {"pack": pack, "credits": credits}
        return await self._call(HostedPage, "POST", "/billing/topup", body=body, options=options)

    async def portal(
        self,
        *,
        return_url: str | None = None,
        **options: Unpack[RequestOptions],
    ) -> HostedPage:
        """A page on which to change or end the subscription."""
        body = {"returnUrl": return_url}
        return await self._call(HostedPage, "POST", "/billing/portal", body=body, options=options)

    async def credits(self, **options: Unpack[RequestOptions]) -> Credits:
        """The org's balance and plan."""
        return await self._call(Credits, "GET", "/billing/credits", options=options)

    def ledger(
        self,
        *,
        page: int | None = None,
        limit: int | None = None,
        **options: Unpack[RequestOptions],
    ) -> AsyncPager[LedgerEntry]:
        """Every credit that came or went, newest first."""
        query = {"page": page, "limit": limit}
        return self._list(LedgerPage, "/billing/ledger", query=query, options=options)

    def usage(
        self,
        *,
        from_: date | None = None,
        to: date | None = None,
        **options: Unpack[RequestOptions],
    ) -> AsyncPager[Usage]:
        """What was used, by day, model and person; the last 30 days where left out."""
        query = {"from": from_, "to": to}
        return self._list(UsageList, "/billing/usage", query=query, options=options)
