import { z } from 'zod';
import { emoji, optional, moment, statusText, timestamp } from './fields.ts';

/** What people say about themselves, in their own record and in that of a member. */
export const PROFILE_FIELDS = {
  title: z.string().nullable().meta({
    description: 'What the person does, in their own words. It belongs to the organisation.',
    example: 'Designer',
  }),
  photo: z.string().nullable().meta({
    description:
      "The path of the person's photo on this server. It changes with the photo. People of the same organisation may load it.",
  }),
  status: z
    .object({
      emoji: z.string().nullable(),
      text: z.string(),
      until: timestamp().nullable(),
    })
    .meta({ id: 'PersonStatus', description: 'What the person is doing, until then.' })
    .nullable(),
  timeZone: z.string().nullable().meta({
    description: 'The IANA name of the time zone that the person is in.',
    example: 'Europe/Berlin',
  }),
};

export const StatusInput = z
  .strictObject({
    emoji: optional(emoji()),
    text: statusText(),
    until: optional(moment()).meta({ description: 'When it ends. Default: when you end it.' }),
  })
  .meta({ id: 'StatusInput' });

/** As the database has it. */
export interface ProfileRow {
  title: string | null;
  photoHash: string | null;
  timeZone: string | null;
  statusEmoji: string | null;
  statusText: string | null;
  statusUntil: Date | null;
}

export function presentProfile(userId: string, row: ProfileRow) {
  const { title, photoHash, timeZone } = row;
  return { title, photo: photoAddress(userId, photoHash), status: presentStatus(row), timeZone };
}

/** One that has ended is none, although its row may still be there. */
function presentStatus({ statusEmoji, statusText: text, statusUntil }: ProfileRow) {
  if (text === null || (statusUntil && statusUntil.getTime() <= Date.now())) return null;
  return { emoji: statusEmoji, text, until: statusUntil?.toISOString() ?? null };
}

/** Where a person's photo is, on this server. The hash is that of its content. */
function photoAddress(userId: string, hash: string | null): string | null {
  return hash === null ? null : `/api/people/${userId}/photos/${hash}`;
}
