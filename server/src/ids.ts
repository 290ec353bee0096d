import { init } from '@paralleldrive/cuid2';

const cuid = init({ length: 24 });

/** `c` + 24 characters of CUID2. Ids are opaque: nothing may be ordered by them. */
export function newId(): string {
  return `c${cuid()}`;
}

const ID = /^c[a-z0-9]{24}$/;

export function isId(text: string): boolean {
  return ID.test(text);
}
