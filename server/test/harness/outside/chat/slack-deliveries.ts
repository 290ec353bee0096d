import { createHmac, randomUUID } from 'node:crypto';
import type { WebSocket } from 'ws';
import { APP_ID, BOT_USER_ID, TEAM_ID } from './slack-world.ts';

/** Slack sends one thing several times under different ids, and not always in order. */
export interface Disorder {
  /** How often an event is sent. Default: once. */
  copies?: () => number;
  /** Whether an event is held back until the next one was sent. Default: never. */
  isLate?: () => boolean;
}

interface Envelope {
  id: string;
  body: object;
  attempts: number;
}

export type SlackDeliveries = ReturnType<typeof createSlackDeliveries>;

/** Sends events to sockets, or to an address of ours with a signature, until each is acknowledged. */
export function createSlackDeliveries() {
  const sockets: WebSocket[] = [];
  const unacknowledged = new Map<string, Envelope>();
  let disorder: Disorder = {};
  let held: object[] = [];
  let webhook: { send: (body: object) => void } | undefined;
  let turn = 0;

  function bodyOf(event: Record<string, unknown>): object {
    return {
      token: 'verification',
      type: 'event_callback',
      team_id: TEAM_ID,
      api_app_id: APP_ID,
      event,
      event_id: `Ev${randomUUID()}`,
      event_time: Math.floor(Date.now() / 1000),
      authorizations: [{ team_id: TEAM_ID, user_id: BOT_USER_ID, is_bot: true }],
    };
  }

  function send(body: object): void {
    if (webhook) {
      webhook.send(body);
      return;
    }
    const envelope = { id: randomUUID(), body, attempts: 0 };
    unacknowledged.set(envelope.id, envelope);
    sendEnvelope(envelope);
  }

  function sendEnvelope(envelope: Envelope): void {
    const socket = sockets[turn++ % Math.max(sockets.length, 1)];
    const { id, body, attempts } = envelope;
    socket?.send(
      JSON.stringify({
        envelope_id: id,
        type: 'events_api',
        accepts_response_payload: false,
        payload: body,
        retry_attempt: attempts,
        retry_reason: attempts > 0 ? 'timeout' : '',
      }),
    );
    if (socket) envelope.attempts += 1;
  }

  return {
    emit(event: Record<string, unknown>): void {
      const copies = Math.max(disorder.copies?.() ?? 1, 1);
      const bodies = Array.from({ length: copies }, () => bodyOf(event));
      if (disorder.isLate?.()) {
        held.push(...bodies);
        return;
      }
      for (const body of [...bodies, ...held.splice(0)]) send(body);
    },
    /** Sends what was held back. */
    flush(): void {
      for (const body of held.splice(0)) send(body);
    },
    disturb(next: Disorder): void {
      disorder = next;
    },
    join(socket: WebSocket): void {
      sockets.push(socket);
      socket.on('close', () => sockets.splice(sockets.indexOf(socket), 1));
      socket.on('message', (bytes: Buffer) => {
        const { envelope_id: id } = JSON.parse(bytes.toString()) as { envelope_id?: string };
        if (id !== undefined) unacknowledged.delete(id);
      });
      socket.send(
        JSON.stringify({
          type: 'hello',
          num_connections: sockets.length,
          connection_info: { app_id: APP_ID },
          debug_info: { host: 'applink', approximate_connection_time: 18_060 },
        }),
      );
      for (const envelope of unacknowledged.values()) sendEnvelope(envelope);
    },
    listeners: () => sockets.length,
    unacknowledged: () => unacknowledged.size,
    /** Forgets what nobody acknowledged, as Slack does after a while. */
    forget(): void {
      unacknowledged.clear();
      held = [];
    },
    /** From now on events go to this address, signed. Repeated until it answers 200, as often as given. */
    deliverTo(url: string, signingSecret: string, attempts = 3): void {
      webhook = { send: (body) => void postSigned(url, signingSecret, body, attempts) };
    },
  };
}

async function postSigned(
  url: string,
  secret: string,
  body: object,
  attempts: number,
): Promise<void> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const { text, headers } = signedRequest(body, secret);
    const retry = attempt > 0 ? { 'x-slack-retry-num': String(attempt) } : {};
    const sent = { method: 'POST', body: text, headers: { ...headers, ...retry } };
    const isTaken = await fetch(url, sent).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isTaken) return;
  }
}

/** A request of the Events API as Slack would sign it. */
export function signedRequest(body: object, secret: string, at = new Date()) {
  const text = JSON.stringify(body);
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signature = createHmac('sha256', secret).update(`v0:${timestamp}:${text}`).digest('hex');
  return {
    text,
    timestamp,
    signature: `v0=${signature}`,
    headers: {
      'content-type': 'application/json',
      'x-slack-request-timestamp': timestamp,
      'x-slack-signature': `v0=${signature}`,
    },
  };
}
