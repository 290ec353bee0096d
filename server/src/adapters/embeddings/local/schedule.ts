import type { Priority } from '../text-encoder.ts';

export interface Schedule<Text, Window> {
  add(priority: Priority, text: Text): void;
  /** What to run next; empty when nothing waits. */
  takeBatch(): Window[];
  /** Forgets what it may of the texts, and of windows that are not taken yet. */
  drop(isText: (text: Text) => boolean, isWindow: (window: Window) => boolean): void;
}

const PRIORITIES: Priority[] = ['query', 'write', 'background'];
/** Windows among which those of similar length are looked for. */
const LOOK_AHEAD = 64;
/**
 * Padding counted. 16 texts of 30 words take 80 ms, which is how long a query may have to wait;
 * batches of 1,000 and 2,000 tokens were no faster per text.
 */
const MAX_BATCH_TOKENS = 512;

/**
 * Work by priority, in order of arrival. A batch has the oldest window and those nearest to its length,
 * so that little is padded and nothing waits for ever. Texts are opened only when their turn is near.
 */
export function createSchedule<Text, Window extends { ids: number[] }>(
  open: (text: Text) => Window[],
): Schedule<Text, Window> {
  const lanes = PRIORITIES.map((priority) => ({
    priority,
    texts: [] as Text[],
    windows: [] as Window[],
  }));

  return {
    add(priority, text) {
      lanes.find((lane) => lane.priority === priority)?.texts.push(text);
    },
    takeBatch() {
      for (const lane of lanes) {
        const near = LOOK_AHEAD - lane.windows.length;
        if (near > 0) lane.windows.push(...lane.texts.splice(0, near).flatMap(open));
        if (lane.windows.length === 0) continue;
        const batch = new Set(pickBatch(lane.windows.slice(0, LOOK_AHEAD)));
        lane.windows = lane.windows.filter((window) => !batch.has(window));
        return [...batch];
      }
      return [];
    },
    drop(isText, isWindow) {
      for (const lane of lanes) {
        lane.texts = lane.texts.filter((text) => !isText(text));
        lane.windows = lane.windows.filter((window) => !isWindow(window));
      }
    },
  };
}

function pickBatch<Window extends { ids: number[] }>(windows: Window[]): Window[] {
  const oldest = windows[0]?.ids.length ?? 0;
  const distance = ({ ids }: Window) => Math.abs(ids.length - oldest);
  const batch: Window[] = [];
  let width = 0;
  // A stable sort: the oldest window, at distance 0 and in front, stays first.
  for (const window of windows.toSorted((a, b) => distance(a) - distance(b))) {
    width = Math.max(width, window.ids.length);
    if (batch.length > 0 && (batch.length + 1) * width > MAX_BATCH_TOKENS) break;
    batch.push(window);
  }
  return batch;
}
