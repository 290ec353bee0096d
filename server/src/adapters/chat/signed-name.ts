import { inertName } from './inert-name.ts';

const MARK = ' via Atrium';
/** The longest name that Slack shows. */
const MOST_CHARACTERS = 80;

/** What our bot posts under. Members choose their names, so it must not look like somebody of the chat system. */
export function signedName(authorName: string): string {
  const name = inertName(authorName, MOST_CHARACTERS - MARK.length);
  return name === '' ? 'Atrium' : name + MARK;
}
