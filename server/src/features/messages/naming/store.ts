import type { OrgDb } from '../../../db/types.ts';
import { canReadSession } from '../../../access/readable.ts';

export interface Namesake {
  userId: string;
  name: string;
  /** Whether they may read the session. */
  isHere: boolean;
}

/** Like `nameKey`. Where the database folds ASCII only, other letters stay as they were written. */
const keyOf = (name: string) => `btrim(regexp_replace(lower(regexp_replace(
  normalize(${name}, NFKD), '[\\u0300-\\u036f]', '', 'g')), '[[:space:]._-]+', ' ', 'g'))`;

/**
 * The members whose whole or first name is one of these keys, and which of the slugs are taken, or were until
 * recently: those name somebody else. Reads all members of the org, so it is asked only about names that
 * nobody has as a handle.
 */
export async function findNamesakes(
  { db, orgId }: OrgDb,
  sessionId: string,
  keys: readonly string[],
  slugs: readonly string[],
): Promise<{ people: Namesake[]; taken: string[] }> {
  const [row] = await db.sharedRead<{ people: Namesake[]; taken: string[] }>(
    `SELECT coalesce(json_agg(json_build_object('userId', person.user_id, 'name', u.name,
         'isHere', ${canReadSession('person.user_id', 'person.role')})), '[]') AS people,
       ARRAY(SELECT n.name FROM mention_names n WHERE n.org_id = $1 AND n.name = ANY ($4)) AS taken
     FROM sessions s JOIN projects p ON p.org_id = $1 AND p.id = s.project_id
     JOIN memberships person ON person.org_id = $1
     JOIN users u ON u.id = person.user_id
     WHERE s.org_id = $1 AND s.id = $2 AND (${keyOf('u.name')} = ANY ($3)
       OR ${keyOf(`split_part(btrim(u.name), ' ', 1)`)} = ANY ($3))`,
    [orgId, sessionId, keys.flatMap(spellings), slugs],
  );
  return row ?? { people: [], taken: [] };
}

/** As the database may have kept a key with letters that it can't fold. */
function spellings(key: string): string[] {
  // oxlint-disable-next-line no-control-regex
  if (/^[\0-\x7f]*$/.test(key)) return [key];
  const capitalised = key.replaceAll(/(?<!\p{L})\p{L}/gu, (letter) => letter.toUpperCase());
  return [key, capitalised, key.toUpperCase()];
}
