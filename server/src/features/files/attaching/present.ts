import type { AttachmentRow } from './service.ts';

/** In the database, the fields have another order. */
export function presentAttached(attachment: AttachmentRow): AttachmentRow {
  const { fileId, name, mediaType, size, status, image, pages } = attachment;
  const shown = image && { width: image.width, height: image.height };
  return { fileId, name, mediaType, size, status, image: shown, pages };
}
