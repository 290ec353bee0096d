/** Which list is shown. Default: the saved messages. */
export interface LaterSearch {
  show?: 'reminders' | 'scheduled';
}

export function readLaterSearch({ show }: Record<string, unknown>): LaterSearch {
  return show === 'reminders' || show === 'scheduled' ? { show } : {};
}
