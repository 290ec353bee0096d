import { invalid, type FieldError } from '../errors.ts';

const MAX_DEPTH = 64;
/** Far more than any operation needs. Building a megabyte of them would block other requests. */
export const MAX_VALUES = 5_000;
/** Keeps a byte order mark, so that JSON.parse refuses it. */
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Parses JSON strictly: valid UTF-8, bounded depth and size, no duplicate keys, no `__proto__`. */
export function parseJson(bytes: Buffer): unknown {
  const text = decode(bytes);
  const problem = findStructureProblem(text);
  if (problem?.isFinal) throw invalid([problem.error]);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalid([bodyError('malformed_json', 'the body is not valid JSON')]);
  }
  if (problem) throw invalid([problem.error]);
  return value;
}

function decode(bytes: Buffer): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw invalid([bodyError('invalid_utf8', 'the body is not valid UTF-8')]);
  }
}

export function bodyError(code: string, message: string): FieldError {
  return { location: 'body', code, message };
}

interface Problem {
  error: FieldError;
  /** The text is not parsed any further, so other problems stay unknown. */
  isFinal: boolean;
}

/**
 * One pass over the text, before JSON.parse builds anything. JSON.parse silently keeps the last of two
 * equal keys, and a proxy in front of us may have read the first.
 */
function findStructureProblem(text: string): Problem | undefined {
  const open: (Set<string> | null)[] = [];
  let values = 1;
  let found: Problem | undefined;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case 0x7b: // {
        open.push(new Set());
        break;
      case 0x5b: // [
        open.push(null);
        break;
      case 0x2c: // ,
        break;
      case 0x7d: // }
      case 0x5d: // ]
        open.pop();
        continue;
      case 0x22: {
        // "
        const end = endOfString(text, at);
        const keys = open.at(-1);
        if (keys && !found && isFollowedByColon(text, end)) {
          const error = noteKey(keys, text.slice(at, end));
          found = error && { error, isFinal: false };
        }
        at = end - 1;
        continue;
      }
      default:
        continue;
    }
    if (open.length > MAX_DEPTH) {
      const message = `the body is nested more than ${MAX_DEPTH} levels deep`;
      return { error: bodyError('too_deep', message), isFinal: true };
    }
    if (++values > MAX_VALUES) {
      const message = `the body has more than ${MAX_VALUES} fields and list items`;
      return { error: bodyError('too_many_values', message), isFinal: true };
    }
  }
  return found;
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x5c) at++;
    else if (code === 0x22) return at + 1;
  }
  return text.length;
}

function isFollowedByColon(text: string, from: number): boolean {
  let at = from;
  while (isWhiteSpace(text.charCodeAt(at))) at++;
  return text.charCodeAt(at) === 0x3a;
}

function isWhiteSpace(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0d;
}

function noteKey(keys: Set<string>, token: string): FieldError | undefined {
  const key = readKey(token);
  if (key === undefined) return undefined;
  const shown = JSON.stringify(key.slice(0, 50));
  if (key === '__proto__') return bodyError('unknown_field', `the key ${shown} is not allowed`);
  if (keys.has(key)) return bodyError('duplicate_key', `the key ${shown} appears twice`);
  keys.add(key);
  return undefined;
}

/** Undefined if this is not a string; parsing the whole text reports that. */
function readKey(token: string): string | undefined {
  if (!token.includes('\\')) return token.slice(1, -1);
  try {
    return JSON.parse(token) as string;
  } catch {
    return undefined;
  }
}
