import { tryParseJson } from '../../../core/try-parse-json.ts';

/** The object in a JSON text; undefined if it is anything else. */
export function parseObject(text: unknown): object | undefined {
  const value = typeof text === 'string' ? tryParseJson(text) : undefined;
  return typeof value === 'object' && value !== null ? value : undefined;
}
