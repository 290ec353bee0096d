import { z } from 'zod';
import { optional } from '../core/fields.ts';

const READING = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};
const ADDING = { ...READING, readOnlyHint: false, idempotentHint: false };

/** What a tool does: the calls that it allows per minute and key, and what clients are told of it. */
export const READS = { quota: 60, annotations: READING };
export const WRITES = { quota: 20, annotations: ADDING };
export const CHANGES = { quota: 20, annotations: { ...ADDING, destructiveHint: true } };
export const POSTS = { quota: 10, annotations: { ...ADDING, openWorldHint: true } };

const whole = (fallback: number, max: number, about: string) =>
  optional(z.int().min(1).max(max))
    .transform((value) => value ?? fallback)
    .meta({ description: `${about} Default: ${fallback}.` });
export const size = (fallback: number) => whole(fallback, 100, 'How many to list, up to 100.');
export const projectSlug = () =>
  z.string().meta({
    description: "The Project's slug, from list_projects. For direct conversations: direct.",
  });
export const page = () => whole(1, 2_147_483_647, 'Which page, from 1.');
