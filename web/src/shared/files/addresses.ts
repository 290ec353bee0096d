/** Where the browser gets a file itself. The file's organisation is known from its id. */
export function contentUrl(fileId: string): string {
  return `/api/files/${encodeURIComponent(fileId)}/content`;
}

/** A browser that is sent to another origin heeds no `download` attribute, so the address says it too. */
export function downloadUrl(fileId: string): string {
  return `${contentUrl(fileId)}?download=true`;
}

/** The server makes one for each width, so only a few are asked for. */
const WIDTHS = [160, 320, 640, 960, 1280, 1920, 2048];

/** A picture of a file that is sharp at this width on this screen. */
export function previewUrl(fileId: string, cssWidth: number, page?: number): string {
  const wanted = cssWidth * Math.min(globalThis.devicePixelRatio ?? 1, 2);
  const width = WIDTHS.find((one) => one >= wanted) ?? WIDTHS.at(-1);
  const of = page === undefined ? '' : `&page=${page}`;
  return `/api/files/${encodeURIComponent(fileId)}/preview?width=${width}${of}`;
}
