import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';

/** OWASP's recommendation: argon2id (2; the enum has no value at run time), 19 MiB, two passes. */
const PARAMETERS = {
  algorithm: 2,
  memoryCost: 19_456,
  timeCost: 2,
  parallelism: 1,
};

/** Each takes 19 MiB and a thread of the pool that file access and DNS share. */
const AT_ONCE = Math.max(1, Math.min(4, availableParallelism()) - 1);

export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(normalized(password), PARAMETERS));
}

let nobodys: Promise<string> | undefined;

/** Takes just as long if there is no such person or no password, so that timing reveals nothing. */
export async function isPassword(
  passwordHash: string | null | undefined,
  password: string,
  compare = verify,
): Promise<boolean> {
  nobodys ??= hashPassword('the password of nobody');
  const decoy = await nobodys;
  const compared = passwordHash ?? decoy;
  const isRight = await inTurn(() => compare(compared, normalized(password)));
  return isRight && typeof passwordHash === 'string';
}

/** Keyboards encode accented letters in different ways. */
function normalized(password: string): string {
  return password.normalize('NFKC');
}

let running = 0;
const waiting: (() => void)[] = [];

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
  else running++;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running--;
  }
}
