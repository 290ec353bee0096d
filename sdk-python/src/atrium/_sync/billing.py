from __future__ import annotations

from datetime import date

from .._namespace import Namespace
from .._options import RequestOptions
from .._pages import Page
from .._typing import Unpack
from ..types import (
    BillingInterval,
    Credits,
    HostedPage,
    LedgerEntry,
    LedgerPage,
    PaidPlan,
    PlanOffer,
    PlanOfferList,
    TopupPack,
    Usage,
    UsageList,
)


class Billing(Namespace):
    """Plans, credits and usage."""

    def checkout(
        self,
        *,
        plan: PaidPlan,
        interval: BillingInterval | None = None,
        success_url: str | None = None,
        cancel_url: str | None = None,
        **options: Unpack[RequestOptions],
    ) -> HostedPage:
        """Opens a checkout page for a plan. Only the OWNER can do this."""
        body = {
            "plan": plan,
            "interval": interval,
            "successUrl": success_url,
            "cancelUrl": cancel_url,
        }
        return self._call(HostedPage, "POST", "/billing/checkout", body=body, options=options)

    def topup(
        self,
        *,
        pack: TopupPack | None = None,
        credits: int | None = None,
        **options: Unpack[RequestOptions],
    ) -> HostedPage:
        """Opens a page for buying credits. Pass a pack or a number, not both."""
        body = {"pack": pack, "credits": credits}
        return self._call(HostedPage, "POST", "/billing/topup", body=body, options=options)

    def portal(
        self,
        *,
        return_url: str | None = None,
        **options: Unpack[RequestOptions],
    ) -> HostedPage:
        """Opens a page for changing or cancelling the subscription."""
        body = {"returnUrl": return_url}
        return self._call(HostedPage, "POST", "/billing/portal", body=body, options=options)

    def plans(self, **options: Unpack[RequestOptions]) -> Page[PlanOffer]:
        """Lists what each plan includes and costs."""
        return self._list(PlanOfferList, "/billing/plans", options=options)

    def credits(self, **options: Unpack[RequestOptions]) -> Credits:
        """Gets the organisation's credit balance and plan."""
        return self._call(Credits, "GET", "/billing/credits", options=options)

    def ledger(
        self,
        *,
        page: int | None = None,
        limit: int | None = None,
        **options: Unpack[RequestOptions],
    ) -> Page[LedgerEntry]:
        """Lists the ledger entries that add up to the balance, newest first."""
        query = {"page": page, "limit": limit}
        return self._list(LedgerPage, "/billing/ledger", query=query, options=options)

    def usage(
        self,
        *,
        from_: date | None = None,
        to: date | None = None,
        **options: Unpack[RequestOptions],
    ) -> Page[Usage]:
        """Lists credits spent by day, model and person. Default: the last 30 days."""
        query = {"from": from_, "to": to}
        return self._list(UsageList, "/billing/usage", query=query, options=options)
