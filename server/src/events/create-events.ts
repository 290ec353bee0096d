import type { EventContext, Events } from '../core/context.ts';
import type { DurableListener } from './durable.ts';
import type { EventOf, EventType, UpcomingOf, UpcomingType } from './list.ts';
import { oweAtCommit } from './store.ts';

type Hearing<T extends EventType> = (ctx: EventContext, event: EventOf<T>) => void;

/** The listeners of an event, and when they run. */
interface Row<T extends EventType> {
  /** Adds statements to the commit, so that they are written with it or not at all. Reads nothing. */
  inCommit?: readonly Hearing<T>[];
  /** Runs after the commit, at once, in this process. It may be lost in a crash, and must not write. */
  afterwards?: readonly Hearing<T>[];
  /** Handles it after the commit, in any process that runs jobs. It is never lost. */
  durably?: readonly DurableListener<T>[];
}

export type Listeners = { readonly [T in EventType]: Row<T> };

export type Preparations = {
  readonly [T in UpcomingType]: readonly ((
    ctx: EventContext,
    event: UpcomingOf<T>,
  ) => Promise<void>)[];
};

export function createEvents(listeners: Listeners, preparations: Preparations): Events {
  return {
    emit(ctx, event) {
      const { inCommit = [], afterwards = [], durably = [] } = listeners[event.type] as Row<never>;
      const heard = event as never;
      for (const listener of inCommit) listener(ctx, heard);
      for (const listener of durably) owe(ctx, listener, heard);
      if (afterwards.length === 0) return;
      ctx.db.afterCommit(() => {
        for (const listener of afterwards) listener(ctx, heard);
      });
    },
    async prepareFor(ctx, event) {
      for (const prepare of preparations[event.type]) await prepare(ctx, event as never);
    },
  };
}

function owe(ctx: EventContext, listener: DurableListener<never>, event: never): void {
  const recordId = listener.recordOf(event);
  if (recordId === undefined) return;
  const actorUserId = ctx.actor.kind === 'user' ? ctx.actor.userId : null;
  oweAtCommit(ctx.db, ctx.orgId, { listener: listener.name, recordId, event, actorUserId });
  ctx.jobs.wakeAfterCommit(ctx.db);
}

/** Each of them once, however many events it listens to. */
export function durableListenersOf(listeners: Listeners): DurableListener[] {
  const rows = Object.values(listeners) as { durably?: readonly DurableListener[] }[];
  return [...new Set(rows.flatMap(({ durably = [] }) => durably))];
}
