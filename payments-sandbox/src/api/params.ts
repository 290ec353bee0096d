import { refused } from '../failure.ts';

/** As the SDK sends them: `line_items[0][price]=…`. Parameters that nothing reads have no effect. */
export type Params = URLSearchParams;

export function parseParams(text: string): Params {
  const params = new URLSearchParams(text);
  for (const [name, value] of params) {
    // PostgreSQL cannot store NUL in JSON.
    if (/\0/.test(name + value)) throw refused(`${name} contains a NUL character.`);
  }
  return params;
}

export function requiredText(params: Params, name: string): string {
  const value = params.get(name);
  if (value) return value;
  throw refused(`Missing required param: ${name}.`, 'parameter_missing', name);
}

export function requiredInteger(params: Params, name: string): number {
  const value = requiredText(params, name);
  if (/^\d{1,9}$/.test(value)) return Number(value);
  throw refused(`${name} is not an integer.`, 'parameter_invalid_integer', name);
}

/** Only http and https: the pages link to it. */
export function optionalUrl(params: Params, name: string): string | null {
  const value = params.get(name);
  if (value === null || isWebUrl(value)) return value;
  throw refused(`${name} is not an http or https URL.`, 'url_invalid', name);
}

export function isWebUrl(value: string): boolean {
  return URL.canParse(value) && ['http:', 'https:'].includes(new URL(value).protocol);
}

export function readMetadata(params: Params): Record<string, string> {
  const named = [...params].map(([name, value]) => [/^metadata\[(.+)\]$/.exec(name)?.[1], value]);
  return Object.fromEntries(named.filter(([key]) => key !== undefined));
}

export function readExpand(params: Params): string[] {
  return [...params].filter(([name]) => name.startsWith('expand[')).map(([, path]) => path);
}
