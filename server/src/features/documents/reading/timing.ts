/** If a reader is killed, somebody else takes its file over after this time, and goes on. */
export const HELD_MS = 60_000;
