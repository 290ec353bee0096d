/** Equal for names that differ only in case, accents, spaces, dots and dashes. */
export function nameKey(name: string): string {
  return name
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replaceAll(/[\s._-]+/g, ' ')
    .trim();
}

/** The first word of a name, as `nameKey` makes it. */
export function firstNameKey(name: string): string {
  return nameKey(name.trim().split(/\s/, 1)[0] ?? '');
}
