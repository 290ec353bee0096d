import { NotFoundError, type Atrium, type Message, type Project } from '@atrium/sdk';

const AT_ONCE = 4;
const MOST_PROJECTS = 60;

/**
 * Finds a message's project. The ledger only has the id and the API looks messages up by project, so this
 * asks project by project, a few at a time. Undefined if the person can't see it or it is gone.
 */
export async function findMessage(
  client: Atrium,
  projects: readonly Project[],
  messageId: string,
): Promise<{ slug: string; message: Message } | undefined> {
  const asked = projects.slice(0, MOST_PROJECTS);
  for (let at = 0; at < asked.length; at += AT_ONCE) {
    const answers = await Promise.all(
      asked.slice(at, at + AT_ONCE).map(({ slug }) => findIn(client, slug, messageId)),
    );
    const found = answers.find((answer) => answer !== undefined);
    if (found) return found;
  }
  return undefined;
}

async function findIn(client: Atrium, slug: string, messageId: string) {
  try {
    return { slug, message: await client.messages.get(slug, messageId) };
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}
