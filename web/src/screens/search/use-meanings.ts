import { useMemo } from 'react';
import { nameSession, useAllSessions } from '../../data/all-sessions.ts';
import { useDirectSessions, useSessionName } from '../../data/direct.ts';
import { useMembers } from '../../data/queries.ts';
import { useWorkspace } from '../../data/workspace.tsx';
import { dayOf } from '../../ui/text/days.ts';
import { scoreMatch } from '../../ui/text/fuzzy-match.ts';
import { useAnswererNames } from './answerer-names.ts';
import { CONTENTS, contentInWords } from './contents.ts';
import type { FindMeanings, Meaning, Operator } from './operators.ts';

/** More would be a list to read. */
const MOST_MEANINGS = 6;

/** What operators can mean to this person. Empty until people and sessions are loaded. */
export function useMeanings(): FindMeanings {
  const { data: members } = useMembers();
  const { userId } = useWorkspace().profile;
  const agents = useAnswererNames();
  const all = useAllSessions();
  const direct = useDirectSessions();
  const nameOf = useSessionName();
  return useMemo(() => {
    const known: Partial<Record<Operator['name'], Meaning[]>> = {
      from: [
        ...(members ?? []).map((member): Meaning => ({
          label: member.name,
          aliases: [
            ...(member.handle === null ? [] : written(member.handle)),
            ...(member.userId === userId ? ['me'] : []),
          ],
          changes: { author: member.userId, agent: undefined },
        })),
        ...[...agents].map(([slug, name]): Meaning => ({
          label: name,
          aliases: written(slug),
          changes: { author: undefined, agent: slug },
        })),
      ],
      in: [
        ...(direct ?? []).map((session): Meaning => ({
          label: nameOf(session),
          aliases: [],
          changes: { project: undefined, session: session.id },
        })),
        ...(all ?? []).flatMap(({ project, sessions = [] }) => [
          {
            label: project.name,
            aliases: [project.slug],
            changes: { project: project.id, session: undefined },
          },
          ...sessions.map((session) => ({
            label: nameSession(session),
            aliases: [session.name],
            changes: { project: undefined, session: session.id },
          })),
        ]),
      ],
      has: CONTENTS.map((content) => ({
        label: contentInWords(content),
        aliases: [content, `${content}s`],
        changes: { has: content },
      })),
    };
    return ({ name, value }) =>
      name === 'before' || name === 'after'
        ? daysMeant(name, value)
        : bestOf(known[name] ?? [], value);
  }, [members, userId, agents, all, direct, nameOf]);
}

const written = (slug: string) => [slug, `@${slug}`];

function bestOf(meanings: readonly Meaning[], value: string): Meaning[] {
  return meanings
    .map((meaning) => {
      const names = [meaning.label, ...meaning.aliases];
      return { meaning, score: Math.max(...names.map((name) => scoreMatch(value, name))) };
    })
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, MOST_MEANINGS)
    .map(({ meaning }) => meaning);
}

const DAYS_AGO = { Today: 0, Yesterday: 1, 'A week ago': 7, 'A month ago': 30 };

/** The day itself is left out, before it as well as after it. */
function daysMeant(name: 'before' | 'after', value: string): Meaning[] {
  const written = /^\d{4}-\d{2}-\d{2}$/.test(value) ? new Date(`${value}T12:00`) : undefined;
  const step = name === 'before' ? -1 : 1;
  if (written && !Number.isNaN(written.getTime())) {
    return [{ label: value, aliases: [], changes: { [name]: dayOf(written, step) } }];
  }
  return Object.entries(DAYS_AGO)
    .filter(([label]) => label.toLowerCase().startsWith(value.toLowerCase()))
    .map(([label, ago]) => ({
      label,
      aliases: [],
      changes: { [name]: dayOf(new Date(), step - ago) },
    }));
}
