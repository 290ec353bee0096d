import { AtriumError, ConnectionError } from './errors.ts';
import type { RequestOptions } from './options.ts';
import { backoff, retryDelay, sleep } from './retry.ts';
import type { Transport } from './transport.ts';

interface Place {
  projectId: string;
  sessionId: string;
}

interface ReplyPlace extends Place {
  /** The message that is answered. */
  questionId: string;
  /** Who answers, as in its `mentions`. */
  mention: string;
}

/** A tool that whoever answers has called. The message that lands has its arguments and its result too. */
export type ToolProgress = {
  /** The mention slug of an MCP server, or of the agent itself. */
  server: string;
  name: string;
} & ({ state: 'started' } | { state: 'ended'; isError: boolean; latencyMs: number });

/** A session's event. `resync` means: list the messages again, since some changes may have been missed. */
export type SessionEvent =
  | { type: 'resync' }
  | ({ type: 'message.created' | 'message.updated'; messageId: string } & Place)
  | ({ type: 'session.updated' | 'session.read' } & Place)
  /** `text` replaces what was shown. `seq` is the number of the delta that follows. */
  | ({ type: 'reply.started' | 'reply.restarted'; seq: number; text: string } & ReplyPlace)
  /** `text` is added to what was shown. */
  | ({ type: 'reply.delta'; seq: number; text: string } & ReplyPlace)
  /** All calls until now. There are none after `reply.started` and `reply.restarted`, unless this follows. */
  | ({ type: 'reply.tools'; toolCalls: ToolProgress[] } & ReplyPlace)
  | ({ type: 'reply.ended' } & ReplyPlace);

/** Iterate over it with `for await`. */
export type EventStream = AsyncGenerator<SessionEvent, void, undefined>;

const EVENTS = '/spaces/{slug}/sessions/{sessionId}/events';
/** The server sends something every 15 seconds. */
const SILENCE_MS = 45_000;
const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 8_000;

/**
 * Connects again whenever the connection is lost. Throws if the first connection fails, or if the caller
 * may no longer read the session.
 */
export async function* streamEvents(
  api: Transport,
  ids: readonly string[],
  options: RequestOptions = {},
): EventStream {
  const { signal } = options;
  let failures = 0;
  let response = await api.open(EVENTS, ids, options);
  for (;;) {
    try {
      for await (const event of readEvents(response, signal)) {
        failures = 0;
        yield event;
      }
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error;
    }
    for (;;) {
      signal?.throwIfAborted();
      await sleep(backoff(++failures, FIRST_DELAY_MS, MAX_DELAY_MS), signal);
      try {
        response = await api.open(EVENTS, ids, options);
        break;
      } catch (error) {
        const mayRetry = error instanceof AtriumError && retryDelay(error, 1, true) !== undefined;
        if (!mayRetry) throw error;
      }
    }
  }
}

/** Ends when the server ends the stream. Throws a ConnectionError if it breaks, or is silent for too long. */
async function* readEvents(response: Response, signal: AbortSignal | undefined): EventStream {
  const reader = response.body?.getReader();
  if (!reader) return;
  const cancel = () => void reader.cancel().catch(() => {});
  signal?.addEventListener('abort', cancel, { once: true });
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (;;) {
      const silence = setTimeout(cancel, SILENCE_MS);
      const { done, value } = await reader.read().finally(() => clearTimeout(silence));
      signal?.throwIfAborted();
      if (done) return;
      text += decoder.decode(value, { stream: true });
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) {
        const [, type, data] = /^event: (.*)\ndata: (.*)$/s.exec(block) ?? [];
        if (type !== undefined) yield { type, ...JSON.parse(data ?? '{}') } as SessionEvent;
      }
    }
  } catch (cause) {
    signal?.throwIfAborted();
    throw new ConnectionError('The event stream broke off.', { code: 'CONNECTION_ERROR', cause });
  } finally {
    signal?.removeEventListener('abort', cancel);
    cancel();
  }
}
