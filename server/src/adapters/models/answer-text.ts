/** The maximum length of a message, in code points. */
export const MAX_ANSWER_LENGTH = 20_000;

/** Collects the text of one step, up to slightly more than the maximum length. */
export class AnswerText {
  #text = '';
  #length = 0;

  get isFull(): boolean {
    // The second limit is for lone surrogates, which the first does not count.
    return this.#length > MAX_ANSWER_LENGTH || this.#text.length > 2 * MAX_ANSWER_LENGTH;
  }

  add(delta: string): void {
    const part = delta.slice(0, 2 * MAX_ANSWER_LENGTH + 1);
    this.#text += part;
    this.#length += part.length - (part.match(/[\udc00-\udfff]/g)?.length ?? 0);
  }

  toString(): string {
    const text = cleanText(this.#text).trim();
    if (text.length <= MAX_ANSWER_LENGTH) return text;
    return Array.from(text).slice(0, MAX_ANSWER_LENGTH).join('').trimEnd();
  }
}

/** Neither PostgreSQL nor providers accept NUL or lone surrogates. */
export function cleanText(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}

/** The same for every string in a JSON value, keys included. */
export function cleanJson(value: unknown): unknown {
  if (typeof value === 'string') return cleanText(value);
  if (Array.isArray(value)) return value.map(cleanJson);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [cleanText(key), cleanJson(each)]),
  );
}
