/** What goes over the wire for a value: text, bytes, or null. */
export type SentValue = string | Buffer | null;

/**
 * A parameter as PostgreSQL reads it, before it knows its type. The driver has the same for its own queries and
 * does not export it; sent-value.test.ts compares the two.
 */
export function toSentValue(value: unknown): SentValue {
  if (value === null || value === undefined) return null;
  if (typeof value !== 'object') return `${value as string | number | bigint | boolean}`;
  if (value instanceof Date) return toTime(value);
  if (Array.isArray(value)) return `{${value.map(toElement).join(',')}}`;
  return toBytes(value) ?? JSON.stringify(value);
}

function toBytes(value: object): Buffer | undefined {
  if (Buffer.isBuffer(value)) return value;
  if (!ArrayBuffer.isView(value)) return undefined;
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
}

/** PostgreSQL has no year 0, and no sign before the others. */
function toTime(time: Date): string {
  const afterYear = time.toISOString().slice(-'-MM-DDThh:mm:ss.sssZ'.length);
  const year = time.getUTCFullYear();
  const digits = String(year > 0 ? year : 1 - year).padStart(4, '0');
  return `${digits}${afterYear}${year > 0 ? '' : ' BC'}`;
}

function toElement(element: unknown): string {
  if (typeof element === 'number' || typeof element === 'bigint') return String(element);
  if (Array.isArray(element)) return toSentValue(element) as string;
  const sent = toSentValue(element);
  if (sent === null) return 'NULL';
  const text = typeof sent === 'string' ? sent : `\\x${sent.toString('hex')}`;
  return `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}
