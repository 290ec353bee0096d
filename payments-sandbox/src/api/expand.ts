import { refused } from '../failure.ts';
import type { Database } from '../host.ts';
import { withoutHidden } from '../objects.ts';
import { findById } from '../store.ts';

type Tree = Record<string, unknown>;

/** An object as the API shows it. In each of `paths`, ids are replaced with the objects they name. */
export async function present(
  db: Database,
  object: object,
  paths: readonly string[],
): Promise<object> {
  const shown = withoutHidden(object) as Tree;
  for (const path of paths) {
    const [key = '', ...rest] = path.split('.');
    const value = Object.hasOwn(object, key) ? (object as Tree)[key] : undefined;
    if (value === undefined) throw refused(`This property cannot be expanded (${path}).`);
    const found = typeof value === 'string' ? await findById(db, value) : value;
    const deeper = rest.length > 0 ? [rest.join('.')] : [];
    shown[key] = found && typeof found === 'object' ? await present(db, found, deeper) : found;
  }
  return shown;
}
