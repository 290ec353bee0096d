import type { NewReply } from '../../messages/replies/service.ts';

/** The result of a run, before it is written. */
export interface Outcome extends Pick<
  NewReply,
  'agentSlug' | 'body' | 'status' | 'error' | 'citations' | 'toolCalls'
> {
  /** The slug of the model that was used. */
  model: string;
  inputTokens: number;
  outputTokens: number;
  credits: number;
  /** What a run that failed would have cost. */
  unpaidCredits?: number;
  /** Whether the model itself answered or failed, and not what surrounds it, such as credits or tools. */
  isModelResult?: boolean;
  /** The model that summarises the session, if that is due. */
  summaryBy?: string;
}

/** Why there is no answer, with a message for people. */
export interface Failure {
  code: string;
  message: string;
}

export function completed(
  agentSlug: string,
  { body, citations }: Pick<NewReply, 'body' | 'citations'>,
): Outcome {
  const free = { model: agentSlug, inputTokens: 0, outputTokens: 0, credits: 0 };
  return { agentSlug, body, citations, toolCalls: [], status: 'COMPLETED', error: null, ...free };
}

/** What was written until somebody stopped it, which may be nothing. */
export function stopped(
  agentSlug: string,
  { body, citations }: Pick<NewReply, 'body' | 'citations'>,
): Outcome {
  const written = body === '' ? 'Stopped before anything was written.' : body;
  return { ...completed(agentSlug, { body: written, citations }), status: 'STOPPED' };
}

export function failed(agentSlug: string, { code, message }: Failure): Outcome {
  return {
    ...completed(agentSlug, { body: `Couldn't generate a reply. ${message}`, citations: [] }),
    status: 'FAILED',
    error: { code, message },
  };
}
