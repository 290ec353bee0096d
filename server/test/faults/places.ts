import type { Database } from '../../src/db/types.ts';
import { createCaller } from '../harness/clients/client.ts';
import { spawnMain } from '../race/processes.ts';

/** A session, and a key of somebody who writes there. */
export interface Place {
  key: string;
  messages: string;
}

/** Organisations that can afford answers. Returns the keys of their owners. */
export async function createOrgs(
  atrium: {
    main: string;
    env: Record<string, string>;
    look(work: (db: Database) => Promise<unknown>): Promise<unknown>;
  },
  count: number,
): Promise<string[]> {
  const keys: string[] = [];
  for (let nth = 1; nth <= count; nth++) {
    const email = `owner${nth}@example.com`;
    const args = ['admin', 'create-org', '--name', `Org ${nth}`, '--owner-email', email];
    const line = await spawnMain(atrium.main, args, atrium.env).waitForLine(/^{"\w+":"/);
    keys.push((JSON.parse(line) as { key: string }).key);
  }
  await atrium.look((db) =>
    db.query(
      `INSERT INTO ledger_entries (org_id, id, kind, credits, source)
       SELECT id, 'plenty', 'TOPUP', 1000000, 'plenty' FROM orgs`,
    ),
  );
  return keys;
}

export async function openPlace(origin: string, key: string): Promise<Place> {
  const call = createCaller(origin);
  const project = await call('POST', '/api/projects', { key, body: { name: 'Faults' } });
  const space = `/api/spaces/${project.json.data.slug}`;
  const session = await call('POST', `${space}/sessions`, { key, body: { name: 'Busy' } });
  return { key, messages: `${space}/sessions/${session.json.data.id}/messages` };
}
