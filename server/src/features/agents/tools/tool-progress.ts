import type { ToolProgress } from '../../../bus/reply-lines.ts';

/** Sees calls of tools while they run. */
export interface ToolWatcher {
  /** All calls of this run, in the order in which they started, each time that one starts or ends. */
  onTools(calls: readonly ToolProgress[]): void;
}

export interface CallsUnderWay {
  /** Returns a function that ends the call. */
  start(server: string, name: string): (result: { isError: boolean; latencyMs: number }) => void;
}

/** Of a tool's name. All calls of a reply fit into one line of the bus. */
const LONGEST_NAME = 100;

export function createCallsUnderWay(watcher: ToolWatcher): CallsUnderWay {
  const calls: ToolProgress[] = [];
  return {
    start(server, name) {
      const call = { server, name: name.slice(0, LONGEST_NAME).toWellFormed() };
      const at = calls.push({ ...call, state: 'started' }) - 1;
      watcher.onTools([...calls]);
      return ({ isError, latencyMs }) => {
        calls[at] = { ...call, state: 'ended', isError, latencyMs };
        watcher.onTools([...calls]);
      };
    },
  };
}
