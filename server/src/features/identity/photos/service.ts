import { createHash } from 'node:crypto';
import type { PersonContext, UserContext } from '../../../core/context.ts';
import { invalidValue, notFound } from '../../../core/errors.ts';
import type { RecordPage, RecordQuery } from '../../../lists/record-page.ts';
import type { StoredFile } from '../../../lists/stored-file.ts';
import { MOST_BYTES, readImage } from './image.ts';
import { deletePhoto, findPhoto, listPhotos, upsertPhoto, type PhotoRow } from './store.ts';

const MOST_PIXELS = 256;
const LEAST_PIXELS = 32;

/** Replaces the caller's photo; null removes it. */
export async function setPhoto(ctx: PersonContext, photo: string | null): Promise<void> {
  const { userId } = ctx.actor;
  if (photo === null) return deletePhoto(ctx.db, userId);
  const { contentType, bytes } = requirePhoto(Buffer.from(photo, 'base64'));
  const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
  await upsertPhoto(ctx.db, { userId, contentType, bytes, hash });
}

function requirePhoto(file: Buffer) {
  const image = file.length > MOST_BYTES ? undefined : readImage(file);
  if (!image) {
    const message = 'must be a JPEG, PNG or WebP of at most 256 kB that does not move';
    throw invalidValue('body.photo', message);
  }
  const { width, height } = image;
  if (width !== height || width > MOST_PIXELS || width < LEAST_PIXELS) {
    const message = `must be a square of ${LEAST_PIXELS} to ${MOST_PIXELS} pixels, not ${width}×${height}`;
    throw invalidValue('body.photo', message);
  }
  return image;
}

/**
 * People may load it if they share an organisation with the person. A key only counts in its own organisation.
 * A photo that was replaced or removed, and one that the caller may not see, give the same 404.
 */
export async function getPhoto(
  ctx: PersonContext,
  userId: string,
  hash: string,
): Promise<StoredFile> {
  const { actor, orgId } = ctx;
  const onlyOrgId = actor.keyId === null ? null : orgId;
  const photo = await findPhoto(ctx.db, { userId, hash, readerId: actor.userId, onlyOrgId });
  if (!photo) throw notFound('This photo');
  return photo;
}

const PHOTOS_PER_PAGE = 20;

/** For the organisation's export. */
export async function readPhotos(
  ctx: UserContext,
  { after }: RecordQuery,
): Promise<RecordPage<PhotoRow & { userId: string }>> {
  const rows = await listPhotos(ctx.db, ctx.orgId, { after, limit: PHOTOS_PER_PAGE });
  return { rows, next: rows.length < PHOTOS_PER_PAGE ? null : (rows.at(-1)?.userId ?? null) };
}

/** In an export, where there is no address to load it from. */
export function presentPhoto({ bytes, ...photo }: PhotoRow & { userId?: string }) {
  return { ...photo, base64: bytes.toString('base64') };
}
