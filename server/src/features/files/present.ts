import type { FileRow } from './store.ts';

export function presentFile(file: FileRow) {
  return {
    id: file.id,
    projectId: file.projectId,
    name: file.name,
    mediaType: file.mediaType,
    size: file.size,
    sha256: file.sha256,
    status: file.status,
    reason: file.reason,
    text: file.textStatus,
    textReason: file.textReason,
    pages: file.pages,
    image: imageOf(file),
    isShared: file.isShared,
    uploadedById: file.uploadedById,
    uploadedByAgent: file.uploadedByAgent,
    createdAt: file.createdAt.toISOString(),
  };
}

/** As a message or task shows it. */
export function presentAttachment(file: FileRow) {
  const { id: fileId, name, mediaType, size, status, pages } = file;
  return { fileId, name, mediaType, size, status, image: imageOf(file), pages };
}

function imageOf({ imageWidth: width, imageHeight: height }: FileRow) {
  return width === null || height === null ? null : { width, height };
}
