import type { ReactNode } from 'react';
import { scoreMatch } from '../ui/text/fuzzy-match.ts';

export type GroupName =
  | 'Recent'
  | 'Sessions'
  | 'Projects'
  | 'People'
  | 'Pages and actions'
  | 'Messages'
  | 'Tasks'
  | 'Files'
  | 'Memories';

export interface PaletteEntry {
  id: string;
  label: string;
  /** The label with marked words, if they are why it was found. */
  content?: ReactNode;
  /** Under which heading it is listed. */
  group: GroupName;
  /** What kind of thing it is, or where it is, shown next to the label. */
  kind: string;
  /** Other words that find it. */
  keywords?: string;
  icon: ReactNode;
  /** The address of a place, which is listed as recent after a visit. */
  path?: string;
  /** Listed before anything is typed. */
  isFirst?: boolean;
  run: () => void;
}

export interface PaletteGroup {
  name: GroupName;
  entries: PaletteEntry[];
}

const MOST_RECENT = 6;
/** More of a group would push the next one out of sight. */
const MOST_MATCHES = 5;

/** Before anything is typed: where the person was last, and what they may want to do. */
export function listFirst(
  entries: readonly PaletteEntry[],
  places: readonly string[],
): PaletteGroup[] {
  const recent = places
    .flatMap((place) => entries.find(({ path }) => path === place) ?? [])
    .slice(0, MOST_RECENT);
  const others = entries.filter((entry) => entry.isFirst && !recent.includes(entry));
  return [...named('Recent', recent), ...groupInOrder(others)];
}

/** By name, the group with the best match first. */
export function listMatches(entries: readonly PaletteEntry[], query: string): PaletteGroup[] {
  const matches = entries
    .map((entry) => {
      const { label, keywords = '', kind } = entry;
      return { entry, score: scoreMatch(query, label, `${keywords} ${kind}`) };
    })
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .map(({ entry }) => entry);
  return groupInOrder(matches).map(({ name, entries: best }) => ({
    name,
    entries: best.slice(0, MOST_MATCHES),
  }));
}

function groupInOrder(entries: readonly PaletteEntry[]): PaletteGroup[] {
  const groups = Map.groupBy(entries, ({ group }) => group);
  return [...groups].map(([name, members]) => ({ name, entries: members }));
}

/** A group without entries has no heading. */
export function named(name: GroupName, entries: PaletteEntry[]): PaletteGroup[] {
  return entries.length > 0 ? [{ name, entries }] : [];
}
