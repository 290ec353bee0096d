import { pino } from 'pino';
import type { Context, SystemActor } from '../../../src/core/context.ts';
import type { Queryable } from '../../../src/db/types.ts';
import { handleOwed } from '../../../src/events/durable.ts';
import { tellPeople } from '../../../src/features/notifications/listeners.ts';

/** What workers do after each commit: everybody is told of everything. No hints are sent. */
export function tellEverybody(db: Queryable): Promise<void> {
  const events = { emit: () => {}, prepareFor: async () => {} };
  const contextOf = (orgId: string) => ({ orgId, db, events }) as unknown as Context<SystemActor>;
  return handleOwed({ db, log: pino({ level: 'silent' }), contextOf }, tellPeople);
}
