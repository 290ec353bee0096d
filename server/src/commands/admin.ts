import type { Logger } from 'pino';
import { loadSecretsKeys } from '../adapters/secrets/secrets-key.ts';
import { createTokens } from '../adapters/secrets/tokens.ts';
import type { Config } from '../config/config.ts';
import { ROLES, type Role } from '../core/context.ts';
import { useDatabase } from '../db/transactions/database.ts';
import type { Database, Queryable } from '../db/types.ts';
import { isEmail } from '../core/email.ts';
import {
  createMember,
  createOrg,
  findMember,
  findPersonByEmail,
  orgExists,
} from '../features/identity/service.ts';
import { HANDED_OVER_MINUTES, makeSignInUrl } from '../features/identity/sign-in/service.ts';
import { SCOPES } from '../features/keys/scopes.ts';
import { findHiddenCharacter } from '../core/hidden-characters.ts';
import { mintKey, type KeyWithSecret } from '../features/keys/service.ts';
import { openMigrated } from './serve.ts';
import { printLine, readOptions, UsageError } from './usage.ts';

/** Reads its options at once, so that what is wrong with them is said before the database is opened. */
type AdminCommand = (options: Options) => (db: Database, config: Config) => Promise<object>;
type Options = Partial<Record<keyof typeof OPTIONS, string>>;

const TEXT = { type: 'string' } as const;
const OPTIONS = {
  name: TEXT,
  'owner-email': TEXT,
  org: TEXT,
  email: TEXT,
  role: TEXT,
  scopes: TEXT,
};

const COMMANDS: Record<string, AdminCommand> = {
  'create-org'(options) {
    const name = required(options, 'name').trim();
    if (name.length > 120) throw new UsageError('--name must have at most 120 characters');
    const hidden = findHiddenCharacter(name);
    if (hidden) throw new UsageError(`--name must not contain the invisible character ${hidden}`);
    const ownerEmail = emailOption(options, 'owner-email');
    return (db) =>
      db.transaction(async (tx) => {
        const { orgId, owner } = await createOrg(tx, { name, ownerEmail });
        const { secret } = await mintFor(tx, orgId, owner.id, SCOPES);
        return { orgId, userId: owner.id, email: owner.email, key: secret };
      });
  },

  'create-user'(options) {
    const orgId = required(options, 'org');
    const email = emailOption(options, 'email');
    const role = roleOption(options);
    return async (db) => {
      await requireOrg(db, orgId);
      return db.transaction(async (tx) => {
        const user = await createMember(tx, orgId, { email, role });
        if (!user)
          throw new UsageError(
            `${email} is already a member of this org; use create-key to create a key for them`,
          );
        const { secret } = await mintFor(tx, orgId, user.id, SCOPES);
        return { userId: user.id, email: user.email, key: secret };
      });
    };
  },

  'create-key'(options) {
    const orgId = required(options, 'org');
    const email = emailOption(options, 'email');
    const scopes = scopesOption(options);
    return async (db) => {
      await requireOrg(db, orgId);
      const user = await findMember(db, orgId, email);
      if (!user)
        throw new UsageError(`${email} is not a member of this org; use create-user to add them`);
      const { key, secret } = await mintFor(db, orgId, user.id, scopes);
      return { keyId: key.id, key: secret };
    };
  },

  'sign-in-link'(options) {
    const email = emailOption(options, 'email');
    return async (db, config) => {
      const person = await findPersonByEmail(db, email);
      if (!person)
        throw new UsageError(`there is no user with the address ${email}; use create-user first`);
      const tokens = createTokens(await loadSecretsKeys(config));
      const link = { email: person.email, lifeMinutes: HANDED_OVER_MINUTES };
      return { url: await makeSignInUrl({ db, tokens }, config.publicUrl, link) };
    };
  },
};

/** Runs an admin command and prints its result as one line of JSON. */
export async function runAdmin(config: Config, log: Logger, args: string[]): Promise<void> {
  const [name = '', ...rest] = args;
  const command = COMMANDS[name];
  if (!command) throw new UsageError(`unknown admin command "${name}"`);
  const run = command(readOptions({ args: rest, options: OPTIONS }).values);
  printLine(await useDatabase(await openMigrated(config, log), (db) => run(db, config)));
}

function mintFor(
  db: Queryable,
  orgId: string,
  userId: string,
  scopes: readonly string[],
): Promise<KeyWithSecret> {
  return mintKey(
    db,
    { orgId, userId },
    { name: 'From the command line', scopes, createdById: null },
  );
}

function required(options: Options, name: keyof Options): string {
  const value = options[name];
  if (value === undefined || value.trim() === '') throw new UsageError(`--${name} is required`);
  return value;
}

function emailOption(options: Options, name: 'email' | 'owner-email'): string {
  const value = required(options, name).trim();
  if (!isEmail(value)) throw new UsageError(`--${name}: "${value}" is not an email address`);
  return value;
}

function roleOption(options: Options): Role {
  const value = required(options, 'role').toUpperCase();
  const role = ROLES.find((known) => known === value);
  if (!role) throw new UsageError(`--role must be one of ${ROLES.join(', ')}`);
  return role;
}

export async function requireOrg(db: Database, orgId: string): Promise<void> {
  if (!(await orgExists(db, orgId)))
    throw new UsageError(`--org: no organisation has the id ${orgId}`);
}

function scopesOption(options: Options): readonly string[] {
  if (options.scopes === undefined) return SCOPES;
  const scopes = options.scopes.split(',').map((scope) => scope.trim());
  const unknown = scopes.find((scope) => !SCOPES.some((known) => known === scope));
  if (unknown !== undefined)
    throw new UsageError(`--scopes: "${unknown}" is not one of ${SCOPES.join(', ')}`);
  return [...new Set(scopes)];
}
