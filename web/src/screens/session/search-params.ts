/** What the address of a session holds. */
export interface SessionSearch {
  /** The message to jump to. */
  m?: string;
  /** The message whose thread is open. */
  thread?: string;
}

export function readSessionSearch(search: Record<string, unknown>): SessionSearch {
  return {
    ...(typeof search['m'] === 'string' && { m: search['m'] }),
    ...(typeof search['thread'] === 'string' && { thread: search['thread'] }),
  };
}
