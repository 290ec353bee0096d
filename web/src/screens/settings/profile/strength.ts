export const MIN_LENGTH = 10;
export const MAX_LENGTH = 200;

interface Strength {
  words: string;
  tone: 'danger' | 'warn' | 'good';
}

/** Roughly how hard a password is to guess. Only the length is enforced. */
export function strengthOf(password: string, known: string[]): Strength {
  const length = Array.from(password).length;
  if (length < MIN_LENGTH) {
    const missing = MIN_LENGTH - length;
    return {
      words: `Too short: ${missing} more ${missing === 1 ? 'character' : 'characters'}`,
      tone: 'danger',
    };
  }
  if (length > MAX_LENGTH) return { words: `Too long: ${MAX_LENGTH} at most`, tone: 'danger' };
  if (isGuessable(password, known)) return { words: 'Weak: easy to guess', tone: 'warn' };
  if (length >= 16 || (length >= 12 && countKinds(password) >= 3))
    return { words: 'Strong', tone: 'good' };
  return { words: 'Fair: longer is better', tone: 'warn' };
}

const COMMON = /password|passwort|qwert|asdf|letmein|welcome|atrium|12345|abcdef|11111|00000/i;

function isGuessable(password: string, known: string[]): boolean {
  const lower = password.toLowerCase();
  if (new Set(lower).size < 6) return true;
  if (COMMON.test(password) && password.length < 20) return true;
  return known.some((word) => word.length > 3 && lower.includes(word.toLowerCase()));
}

function countKinds(password: string): number {
  return [/\p{Ll}/u, /\p{Lu}/u, /\p{N}/u, /[^\p{L}\p{N}]/u].filter((kind) => kind.test(password))
    .length;
}
