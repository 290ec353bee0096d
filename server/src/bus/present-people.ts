import type { PageState, Presence } from '../core/presence.ts';

/** The open pages of a person in one org, in one browser, which is a web session. */
export type PageKey = readonly [orgId: string, userId: string, browserId: string];

export interface PresenceChange {
  orgId: string;
  userId: string;
  presence: Presence;
}

export type OpenPages = (readonly [page: PageKey, state: PageState])[];

interface Page {
  process: string;
  browserId: string;
  state: PageState;
}

interface Person {
  pages: Map<string, Page>;
  presence: Presence;
  /** Since when they have no page. */
  leftAt: number | undefined;
}

/** The people of each org who have a page open, or had one until shortly before, and what follows from that. */
export function createPresentPeople(graceMs: number) {
  const orgs = new Map<string, Map<string, Person>>();
  const listeners = new Set<(change: PresenceChange) => void>();

  function show(orgId: string, userId: string, person: Person, presence: Presence): void {
    if (person.presence === presence) return;
    person.presence = presence;
    for (const listener of listeners) listener({ orgId, userId, presence });
  }

  function settle(orgId: string, userId: string, person: Person): void {
    const states = [...person.pages.values()].map(({ state }) => state);
    if (states.length === 0) {
      person.leftAt ??= performance.now();
      return;
    }
    person.leftAt = undefined;
    show(orgId, userId, person, states.includes('ACTIVE') ? 'ACTIVE' : 'AWAY');
  }

  function personOf(orgId: string, userId: string): Person {
    const people = orgs.get(orgId) ?? new Map<string, Person>();
    orgs.set(orgId, people);
    const known = people.get(userId);
    if (known) return known;
    const person: Person = { pages: new Map(), presence: 'OFFLINE', leftAt: undefined };
    people.set(userId, person);
    return person;
  }

  function* everyone(): Generator<[string, string, Person]> {
    for (const [orgId, people] of orgs) {
      for (const [userId, person] of people) yield [orgId, userId, person];
    }
  }

  return {
    open(process: string, [orgId, userId, browserId]: PageKey, state: PageState): void {
      const person = personOf(orgId, userId);
      person.pages.set(`${process} ${browserId}`, { process, browserId, state });
      settle(orgId, userId, person);
    },
    close(process: string, [orgId, userId, browserId]: PageKey): void {
      const person = orgs.get(orgId)?.get(userId);
      if (!person?.pages.delete(`${process} ${browserId}`)) return;
      settle(orgId, userId, person);
    },
    setState(userId: string, browserId: string, state: PageState): void {
      for (const [orgId, people] of orgs) {
        const person = people.get(userId);
        if (!person) continue;
        for (const page of person.pages.values()) {
          if (page.browserId === browserId) page.state = state;
        }
        settle(orgId, userId, person);
      }
    },
    forgetProcess(process: string): void {
      for (const [orgId, userId, person] of everyone()) {
        for (const [key, page] of person.pages) {
          if (page.process === process) person.pages.delete(key);
        }
        settle(orgId, userId, person);
      }
    },
    /** Forgets people who have been gone for a while. */
    sweep(): void {
      const latest = performance.now() - graceMs;
      for (const [orgId, userId, person] of everyone()) {
        if (person.leftAt === undefined || person.leftAt > latest) continue;
        orgs.get(orgId)?.delete(userId);
        if (orgs.get(orgId)?.size === 0) orgs.delete(orgId);
        show(orgId, userId, person, 'OFFLINE');
      }
    },
    stateOf: (process: string, [orgId, userId, browserId]: PageKey): PageState | undefined =>
      orgs.get(orgId)?.get(userId)?.pages.get(`${process} ${browserId}`)?.state,
    presenceOf: (orgId: string, userId: string): Presence =>
      orgs.get(orgId)?.get(userId)?.presence ?? 'OFFLINE',
    list: (orgId: string): string[] => [...(orgs.get(orgId)?.keys() ?? [])],
    listen: (listener: (change: PresenceChange) => void): (() => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
