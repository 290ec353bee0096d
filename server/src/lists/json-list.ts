import { setImmediate } from 'node:timers/promises';

/** Others get a turn after this many characters. */
const CHUNK = 128 * 1024;

/** JSON in chunks. A list is written item by item: a long one would hold up everybody else. */
export async function writeJson(data: unknown): Promise<string[]> {
  if (!isList(data)) return [JSON.stringify(data)];
  const { items, ...rest } = data;
  const chunks: string[] = [];
  let text = '{"items":[';
  for (const [at, item] of items.entries()) {
    text += (at === 0 ? '' : ',') + JSON.stringify(item);
    if (text.length > CHUNK) {
      chunks.push(text);
      text = '';
      await setImmediate();
    }
  }
  const more = JSON.stringify(rest).slice(1);
  return [...chunks, `${text}]${more === '}' ? more : `,${more}`}`];
}

function isList(data: unknown): data is { items: unknown[] } {
  return typeof data === 'object' && data !== null && 'items' in data && Array.isArray(data.items);
}
