/** A name to mention a person by. A final dot would end the sentence instead, so nobody could mention it. */
export const HANDLE = /^(?=.{2,32}$)[a-z0-9][a-z0-9._-]*(?<!\.)$/;

export function isHandle(text: string): boolean {
  return HANDLE.test(text);
}
