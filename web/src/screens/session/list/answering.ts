import type { McpServer, Message, Model, Session } from '@atrium/sdk';

/** Who is expected to answer, as far as the browser can tell. */
export interface Agents {
  models: readonly Model[];
  integrations: readonly McpServer[];
  session: Pick<Session, 'projectId' | 'model' | 'defaultAgent'>;
}

export interface Answering {
  key: string;
  slug: string;
  /** When to stop waiting for it. */
  until: number;
}

const EXPECTED_MS = 3 * 60_000;
/** The server answers at most this many mentions per message. */
const MOST_REPLIES = 5;

/** The answers that recent questions are still waiting for. */
export function findAnswering(
  messages: readonly Message[],
  agents: Agents,
  now: number,
): Answering[] {
  const answering: Answering[] = [];
  for (let at = messages.length - 1; at >= 0; at--) {
    const question = messages[at];
    if (!question) break;
    const until = Date.parse(question.createdAt) + EXPECTED_MS;
    if (until <= now) break;
    // Agents don't answer edits, and the earlier mentions are unknown.
    if (question.authorKind !== 'USER' || question.deletedAt || question.editedAt) continue;
    const slugs = unanswered(question, messages.slice(at + 1), agents);
    answering.unshift(
      ...slugs.map((slug, nth) => ({ key: `${question.id}:${slug}:${nth}`, slug, until })),
    );
  }
  return answering;
}

function unanswered(question: Message, later: readonly Message[], agents: Agents): string[] {
  const expected = question.mentions
    .flatMap((mention) => agentFor(mention, agents) ?? [])
    .slice(0, MOST_REPLIES);
  for (const reply of later) {
    if (reply.inReplyToMessageId !== question.id) continue;
    const at = expected.indexOf(reply.agentSlug ?? '');
    if (at !== -1) expected.splice(at, 1);
  }
  return expected;
}

/** Which model answers a mention: the one named, or the session's for `@model` and integrations. */
function agentFor(mention: string, { models, integrations, session }: Agents): string | undefined {
  if (mention !== 'model') {
    if (models.some(({ slug }) => slug === mention)) return mention;
    const integration = integrations.find(({ mentionSlug }) => mentionSlug === mention);
    if (!integration || !serves(integration, session.projectId)) return undefined;
  }
  return session.model ?? session.defaultAgent ?? models.find(({ isDefault }) => isDefault)?.slug;
}

function serves({ projectIds }: McpServer, projectId: string): boolean {
  return projectIds.length === 0 || projectIds.includes(projectId);
}
