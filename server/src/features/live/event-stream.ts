import type { Hint } from '../../bus/hints.ts';

/** One open stream of a person, in one org. */
export interface EventStream {
  readonly orgId: string;
  readonly userId: string;
  readonly webSessionId: string;
  /** Text in the format of server-sent events. */
  write(text: string): void;
  end(): void;
}

/** `projectIds`: the requested Projects that its person belongs to. */
export function mayHear(hint: Hint, stream: EventStream, projectIds: readonly string[]): boolean {
  if ('to' in hint && hint.to !== stream.userId) return false;
  const projectId = projectOf(hint);
  return projectId === undefined || projectIds.includes(projectId);
}

export function projectOf(hint: Hint): string | undefined {
  return 'projectId' in hint ? hint.projectId : undefined;
}

/** Only names and ids. The recipient and a memory's scope are not sent. */
export function eventOf(hint: Hint): string {
  return `event: ${hint.type}\ndata: ${JSON.stringify(dataOf(hint))}\n\n`;
}

function dataOf(hint: Hint): Record<string, string> {
  switch (hint.type) {
    case 'message.created':
    case 'message.updated': {
      const { projectId, sessionId, messageId } = hint;
      return { projectId, sessionId, messageId };
    }
    case 'session.created':
    case 'session.updated':
    case 'session.read': {
      const { projectId, sessionId } = hint;
      return { projectId, sessionId };
    }
    case 'project.created':
    case 'project.updated':
      return { projectId: hint.projectId };
    case 'memory.changed':
      return { memoryId: hint.memoryId };
    default:
      return {};
  }
}
