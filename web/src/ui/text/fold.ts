/** Ignores case and accents, so that "zoe" finds Zoë. */
export function fold(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
}
