/** The id in a field that the SDK types as an id, an object or null. */
export function idOf(reference: string | { id: string } | null | undefined): string {
  const id = typeof reference === 'object' ? reference?.id : reference;
  if (id === undefined) throw new Error('the object refers to nothing');
  return id;
}
