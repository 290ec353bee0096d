import { z } from 'zod';
import { optional } from '../core/fields.ts';

/** Calls of a tool per minute and key. */
export const READS = 60;
export const WRITES = 20;
export const POSTS = 10;

export const READING = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};
export const ADDING = { ...READING, readOnlyHint: false, idempotentHint: false };

const whole = (fallback: number, max: number, about: string) =>
  optional(z.int().min(1).max(max))
    .transform((value) => value ?? fallback)
    .meta({ description: `${about} Default: ${fallback}.` });
export const size = (fallback: number) => whole(fallback, 100, 'How many to list, up to 100.');
export const projectSlug = () =>
  z.string().meta({ description: "The Project's slug, from list_projects." });
export const page = () => whole(1, 2_147_483_647, 'Which page, from 1.');
