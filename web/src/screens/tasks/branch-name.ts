import type { Task } from '@atrium/sdk';
import { slugify } from '../../../../server/src/text/slug.ts';

const LONGEST = 50;

/** `12-short-title`, cut after a word. */
export function branchName({ number, title }: Pick<Task, 'number' | 'title'>): string {
  const slug = slugify(title);
  if (slug === '') return `${number}-task`;
  const name = `${number}-${slug}`;
  if (name.length <= LONGEST) return name;
  const words = name.slice(0, LONGEST + 1).replace(/-[^-]*$/, '');
  return words.includes('-') ? words : name.slice(0, LONGEST);
}

/** A link that works for everyone with access, whichever org they used last. */
export function linkToTask(orgId: string, slug: string, number: number): string {
  const path = `/p/${encodeURIComponent(slug)}/t/${number}`;
  return `${location.origin}${path}?org=${encodeURIComponent(orgId)}`;
}
