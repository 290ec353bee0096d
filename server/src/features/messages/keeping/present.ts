import { isoTime } from '../../../db/utc-time.ts';
import { presentMessage } from '../present.ts';
import type { SavedRow } from './service.ts';

export function presentSaved({ message, session, project, savedAt }: SavedRow) {
  return { message: presentMessage(message), session, project, savedAt: isoTime(savedAt) };
}
