import { readFileSync } from 'node:fs';

export interface Release {
  version: string;
  /** Where its sources are in this repository's history. */
  commit: string;
  /** The newest of its migrations. Those up to it never change. */
  lastMigration: string;
}

/** Oldest first. */
const RELEASES = JSON.parse(
  readFileSync(new URL('../../../../releases.json', import.meta.url), 'utf8'),
) as Release[];

/** The one that people upgrade from. */
export const LAST_RELEASE = RELEASES.at(-1) as Release;
