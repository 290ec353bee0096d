import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import type { Tokens } from '../core/context.ts';
import { explainDataFolder } from '../disk/data-folder.ts';
import type { Database } from '../db/types.ts';
import { writeDurably } from '../disk/durable-file.ts';
import { createOrg } from '../features/identity/service.ts';
import { HANDED_OVER_MINUTES, makeSignInUrl } from '../features/identity/sign-in/service.ts';
import { SCOPES } from '../features/keys/scopes.ts';
import { mintKey } from '../features/keys/service.ts';
import { hasAnyOrg } from '../features/org/service.ts';

export interface FirstRun {
  url: string;
  /** A one-time sign-in link that is valid for a day. */
  signInUrl: string;
  key: string;
  orgId: string;
  userId: string;
  email: string;
}

/**
 * Creates the first org, its owner and a key, if the embedded database is empty. The key is written to disk
 * before the commit: a crash in between leaves a useless file, but never a workspace that nobody can enter.
 */
export async function bootstrap(
  config: Config,
  db: Database,
  tokens: Tokens,
): Promise<FirstRun | undefined> {
  if (db.engine !== 'embedded' || (await hasAnyOrg(db))) return undefined;
  const email = config.firstOwnerEmail;
  return db.transaction(async (tx) => {
    const { orgId, owner } = await createOrg(tx, { name: 'My workspace', ownerEmail: email });
    const { secret } = await mintKey(
      tx,
      { orgId, userId: owner.id },
      { name: 'First key', scopes: SCOPES, createdById: owner.id },
    );
    const firstRun = {
      url: config.publicUrl,
      signInUrl: await makeSignInUrl({ db: tx, tokens }, config.publicUrl, {
        email,
        lifeMinutes: HANDED_OVER_MINUTES,
      }),
      key: secret,
      orgId,
      userId: owner.id,
      email,
    };
    await writeFirstRun(config, firstRun);
    return firstRun;
  });
}

async function writeFirstRun(config: Config, firstRun: FirstRun): Promise<void> {
  try {
    await writeDurably(fileOf(config), `${JSON.stringify(firstRun, null, 2)}\n`);
  } catch (error) {
    throw explainDataFolder(error, config.dataDir);
  }
}

/** Prints to stdout and never logs, because logs are collected elsewhere. */
export function announce(config: Config, firstRun: FirstRun): void {
  process.stdout.write(`
Welcome to Atrium. Your workspace is ready; its owner is ${firstRun.email}.

  Sign in        ${firstRun.signInUrl}
  Your API key   ${firstRun.key}
  API reference  ${firstRun.url}/docs

Try it:

  curl -H "Authorization: Bearer ${firstRun.key}" ${firstRun.url}/api/projects

The link works once and expires in 24 hours. The link and the key are shown only here and in
${fileOf(config)}. Save the key, then delete that file.

`);
}

function fileOf(config: Config): string {
  return join(config.dataDir, 'first-run.json');
}
