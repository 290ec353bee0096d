/** What an account says about its plan. */
export interface ModelPlan {
  plan: 'free' | 'pro' | 'team';
  subscriptionId: string | null;
  isPaid: boolean;
  periodStart: Date | null;
  periodEnd: Date | null;
}

const MONTHLY = { free: 200, pro: 2_000, team: 10_000 };
const FREE: ModelPlan = {
  plan: 'free',
  subscriptionId: null,
  isPaid: false,
  periodStart: null,
  periodEnd: null,
};

let subscriptions = 0;

/** A naive ledger: two changing numbers, one for included and one for bought credits. */
export class LedgerModel {
  now = new Date('2027-01-10T00:00:00Z');
  #included = 0;
  #bought = 0;
  #plan = FREE;
  #newest: string | undefined;
  #granted = new Set<string>();
  #lapsed = new Set<string>();
  #calls = new Map<string, number>();
  #payments = new Map<string, { credits: number; lost: number }>();

  wait(days: number): void {
    this.now = new Date(this.now.getTime() + days * 86_400_000);
  }

  shown() {
    const balance = this.#included + this.#bought;
    const { plan } = this.#plan;
    return {
      balance,
      reserved: this.#reserved(),
      included: this.#included,
      topup: this.#bought,
      plan,
    };
  }

  /** Reading or spending grants this month's credits, and expires last month's. */
  look(): void {
    const due = this.#due();
    if (due === undefined || due === this.#newest) return;
    if (this.#newest !== undefined && !this.#lapsed.has(this.#newest)) {
      // Reserved credits stay, as if they had been bought.
      this.#bought += Math.min(this.#included, this.#reserved());
      this.#included = 0;
      this.#lapsed.add(this.#newest);
    }
    if (this.#granted.has(due)) return;
    this.#granted.add(due);
    this.#newest = due;
    this.#included = MONTHLY[this.#plan.plan];
  }

  topUp(payment: string, credits: number): void {
    if (this.#payments.has(payment)) return;
    this.#payments.set(payment, { credits, lost: 0 });
    this.#bought += credits;
  }

  refund(payment: string, share: number): void {
    const paid = this.#payments.get(payment);
    if (!paid) return;
    const lost = Math.round(paid.credits * share);
    this.#bought -= lost - paid.lost;
    paid.lost = lost;
  }

  held(call: string): number {
    return this.#calls.get(call) ?? 0;
  }

  reserve(call: string, credits: number): boolean {
    if (credits === 0) return true;
    this.look();
    const held = this.held(call);
    if (credits <= held) return true;
    if (this.#included + this.#bought - (this.#reserved() - held) < credits) return false;
    this.#calls.set(call, credits);
    return true;
  }

  release(call: string): void {
    this.#calls.delete(call);
  }

  settle(call: string, used: number): void {
    this.#calls.delete(call);
    const included = Math.min(this.#included, used);
    this.#included -= included;
    this.#bought -= used - included;
  }

  subscribe(plan: ModelPlan['plan']): ModelPlan {
    if (plan === 'free') this.#plan = FREE;
    else if (this.#plan.subscriptionId === null) this.#begin(plan, `sub_${++subscriptions}`, true);
    else this.#plan = { ...this.#plan, plan };
    this.look();
    return this.#plan;
  }

  renew(isPaid: boolean): ModelPlan {
    const { plan, subscriptionId } = this.#plan;
    if (subscriptionId !== null) this.#begin(plan, subscriptionId, isPaid);
    this.look();
    return this.#plan;
  }

  #begin(plan: ModelPlan['plan'], subscriptionId: string, isPaid: boolean): void {
    const periodStart = this.now;
    const periodEnd = new Date(periodStart.getTime() + 30 * 86_400_000);
    this.#plan = { plan, subscriptionId, isPaid, periodStart, periodEnd };
  }

  #due(): string | undefined {
    const { plan, subscriptionId, isPaid, periodStart } = this.#plan;
    if (subscriptionId === null) return this.now.toISOString().slice(0, 7);
    return isPaid ? `${subscriptionId} ${periodStart?.toISOString()} ${plan}` : undefined;
  }

  #reserved(): number {
    return [...this.#calls.values()].reduce((sum, credits) => sum + credits, 0);
  }
}
