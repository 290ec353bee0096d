import { tryParseJson } from '../../core/try-parse-json.ts';

/** In characters. Whoever reads can stop between two events, so none gets much longer than this. */
const LONG_TEXT = 1_000;
/** An event as both wire formats send it. */
const EVENT = /^(?:event: \w+\n)?data: (\{.*\})$/;

/** An event that does nothing but add text. */
interface Delta {
  /** What it adds to. Deltas with the same can be joined. */
  place: string;
  text: string;
  /** The event with other text. */
  with(text: string): string;
}

/**
 * Joins neighbouring events that each add a word. The SDK parses, checks and passes on every event in a
 * dozen steps, so for many answers at once that is most of the work.
 */
export function joinDeltas(events: readonly string[]): string[] {
  const joined: string[] = [];
  let held: { delta: Delta; event: string; count: number } | undefined;
  const release = () => {
    if (held) joined.push(held.count === 1 ? held.event : held.delta.with(held.delta.text));
    held = undefined;
  };
  for (const event of events) {
    const delta = readDelta(event);
    if (held && delta?.place === held.delta.place && held.delta.text.length < LONG_TEXT) {
      held.delta.text += delta.text;
      held.count++;
      continue;
    }
    release();
    if (delta) held = { delta, event, count: 1 };
    else joined.push(event);
  }
  release();
  return joined;
}

function readDelta(event: string): Delta | undefined {
  const json = EVENT.exec(event)?.[1];
  if (json === undefined) return undefined;
  const head = event.slice(0, event.length - json.length);
  const data = tryParseJson(json);
  const found = openAiText(data) ?? anthropicText(data);
  if (!found) return undefined;
  const { place, holder, field } = found;
  return {
    place,
    text: holder[field] as string,
    with(text) {
      holder[field] = text;
      return head + JSON.stringify(data);
    },
  };
}

interface Found {
  place: string;
  holder: Record<string, unknown>;
  field: string;
}

/** A chunk of a chat completion with one choice that has a piece of its answer, or of its thoughts, and no more. */
function openAiText(data: unknown): Found | undefined {
  const { choices, usage } = asRecord(data);
  if (!Array.isArray(choices) || choices.length !== 1 || isSet(usage)) return undefined;
  const { index, delta, finish_reason: reason, logprobs } = asRecord(choices[0]);
  const holder = asRecord(delta);
  const [field, ...others] = Object.keys(holder);
  if (field === undefined || others.length > 0 || isSet(reason) || isSet(logprobs))
    return undefined;
  if (!['content', 'reasoning', 'reasoning_content'].includes(field)) return undefined;
  if (typeof holder[field] !== 'string') return undefined;
  return { place: `${field} ${String(index)}`, holder, field };
}

function anthropicText(data: unknown): Found | undefined {
  const { type, index, delta } = asRecord(data);
  const holder = asRecord(delta);
  if (type !== 'content_block_delta' || holder['type'] !== 'text_delta') return undefined;
  if (typeof holder['text'] !== 'string') return undefined;
  return { place: `block ${String(index)}`, holder, field: 'text' };
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function isSet(value: unknown): boolean {
  return value !== null && value !== undefined;
}
