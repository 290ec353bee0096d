import { invalid, type FieldError } from '../../core/errors.ts';

const MAX_DEPTH = 64;
/** Far more than any operation needs. Building a megabyte of them would block other requests. */
const MAX_VALUES = 5_000;
/** Keeps a byte order mark, so that JSON.parse refuses it. */
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Parses JSON strictly: valid UTF-8, bounded depth and size, no duplicate keys, no `__proto__`. */
export function parseJson(bytes: Buffer): unknown {
  const excess = findExcess(bytes);
  if (excess) throw invalid([excess]);
  const text = decode(bytes);
  const problem = findForbiddenKey(text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalid([bodyError('malformed_json', 'the body is not valid JSON')]);
  }
  if (problem) throw invalid([problem]);
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

/** Looks at the bytes, before anything is decoded or built. Outside strings, JSON is ASCII. */
function findExcess(bytes: Buffer): FieldError | undefined {
  let values = 1;
  let depth = 0;
  let isInString = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) isInString = !isInString;
    else if (isInString) at += byte === BACKSLASH ? 1 : 0;
    else if (byte === COMMA) values++;
    else if (byte === OBJECT || byte === LIST) {
      values++;
      depth++;
    } else if (byte === OBJECT_END || byte === LIST_END) depth--;
    if (depth > MAX_DEPTH) {
      return bodyError('too_deep', `the body is nested more than ${MAX_DEPTH} levels deep`);
    }
    if (values > MAX_VALUES) {
      const message = `the body has more than ${MAX_VALUES} fields and list items`;
      return bodyError('too_many_values', message);
    }
  }
  return undefined;
}

const [QUOTE, BACKSLASH, COMMA, OBJECT, OBJECT_END, LIST, LIST_END] = Buffer.from('"\\,{}[]');

/**
 * One pass over the text, before JSON.parse builds anything. JSON.parse silently keeps the last of two
 * equal keys, and a proxy in front of us may have read the first.
 */
function findForbiddenKey(text: string): FieldError | undefined {
  const open: (Set<string> | null)[] = [];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === OBJECT) open.push(new Set());
    else if (code === LIST) open.push(null);
    else if (code === OBJECT_END || code === LIST_END) open.pop();
    else if (code === QUOTE) {
      const end = endOfString(text, at);
      const keys = open.at(-1);
      const found =
        keys && isFollowedByColon(text, end) ? noteKey(keys, text.slice(at, end)) : undefined;
      if (found) return found;
      at = end - 1;
    }
  }
  return undefined;
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) at++;
    else if (code === QUOTE) return at + 1;
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
  if (key === '__proto__') return bodyError('unknown_field', 'the key "__proto__" is not allowed');
  if (keys.has(key)) {
    const shown = JSON.stringify(key.slice(0, 50));
    return bodyError('duplicate_key', `the key ${shown} appears twice`);
  }
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
