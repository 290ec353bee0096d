import type { MappingRow } from './store.ts';

type Directions = Pick<MappingRow, 'status' | 'direction'>;

/** Whether messages come from the channel into the session, now or once it is repaired. */
export function comesIn({ status, direction }: Directions): boolean {
  return status !== 'PAUSED' && direction !== 'OUT';
}

/** Whether messages go from the session to the channel, now or once it is repaired. */
export function goesOut({ status, direction }: Directions): boolean {
  return status !== 'PAUSED' && direction !== 'IN';
}
