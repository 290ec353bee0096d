/** The tasks of the list that a person came from, in its order, so that they can go from one to the next. */
const NAME = 'atrium.task-trail';

export interface TaskPlace {
  slug: string;
  number: string;
}

/** For the attribute `data-task-link` of a link in a list. */
export function linkName({ slug, number }: TaskPlace): string {
  return `${slug}#${number}`;
}

/** Called when a link of a list is followed. What is on the page at that moment is the list. */
export function rememberTrail(link: Element): void {
  const links = (link.closest('main') ?? document).querySelectorAll('[data-task-link]');
  const names = [...links].map((one) => one.getAttribute('data-task-link') ?? '');
  try {
    sessionStorage.setItem(NAME, JSON.stringify([...new Set(names)]));
  } catch {
    // Without storage, there is no way on from here.
  }
}

export interface Neighbours {
  previous: TaskPlace | undefined;
  next: TaskPlace | undefined;
  /** From 1. */
  nth: number;
  count: number;
}

/** Undefined if the person came from somewhere else. */
export function findNeighbours(place: TaskPlace): Neighbours | undefined {
  const names = readTrail();
  const at = names.indexOf(linkName(place));
  if (at === -1 || names.length < 2) return undefined;
  const { [at - 1]: previous, [at + 1]: next } = names;
  return { previous: read(previous), next: read(next), nth: at + 1, count: names.length };
}

function readTrail(): string[] {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(NAME) ?? '[]');
    return Array.isArray(stored) ? stored.filter((name) => typeof name === 'string') : [];
  } catch {
    return [];
  }
}

function read(name: string | undefined): TaskPlace | undefined {
  const [slug, number] = name?.split('#') ?? [];
  return slug && number ? { slug, number } : undefined;
}
