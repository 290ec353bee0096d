import type { EventContext } from '../core/context.ts';
import type { Queryable } from '../db/types.ts';
import type { AppEvent, FreeUpcomingEvent, PageEvent, UpcomingEvent } from './list.ts';

/** Where something happens that needs no transaction. */
export type AnyContext = Omit<EventContext, 'db'> & { db: Queryable };

/**
 * Says what happens, in the transaction that does it. Whoever emits it knows no listener: which there are,
 * and whether they write in the same commit or run after it, is in app/listeners.ts.
 */
export function emit(ctx: EventContext, event: AppEvent): void;
export function emit(ctx: AnyContext, event: PageEvent): void;
export function emit(ctx: AnyContext, event: AppEvent): void {
  ctx.events.emit(ctx as EventContext, event);
}

/** Says what is about to happen. Whoever has to read or lock something first has done so when it returns. */
export function prepareFor(ctx: EventContext, event: UpcomingEvent): Promise<void>;
export function prepareFor(ctx: AnyContext, event: FreeUpcomingEvent): Promise<void>;
export function prepareFor(ctx: AnyContext, event: UpcomingEvent): Promise<void> {
  return ctx.events.prepareFor(ctx as EventContext, event);
}
