import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import type { Authority } from '../certificates.ts';
import { startHttpsServer } from '../https-server.ts';
import { answer, createFaults, type Faults } from './faults.ts';
import { answerMattermost } from './mattermost-api.ts';
import {
  createMattermostWorld,
  newId,
  type MattermostUser,
  type MattermostWorld,
} from './mattermost-world.ts';

export interface MattermostServer extends MattermostWorld {
  /** For CHAT_ALLOW_HOSTS. */
  host: string;
  url: string;
  bot: MattermostUser;
  botToken: string;
  /** What GET /config/client answers. */
  config: Record<string, string>;
  faults: Faults;
  /** As `POST /api/v4/posts`, in order. */
  requests(): string[];
  /** Sockets that have said who they are. */
  listeners(): number;
  /** Resolves when a socket has said who it is; at once if there is one. */
  listening(): Promise<void>;
  /** Without a word, as a network would. */
  dropConnections(): void;
  /** The next events are counted but not sent. */
  loseEvents(count: number): void;
  revokeToken(): void;
  /** Another token of the bot's. */
  issueToken(): string;
  close(): Promise<void>;
}

interface Listener {
  socket: WebSocket;
  sent: number;
}

/** Mattermost's REST API and WebSocket on loopback, with one bot. */
export async function startMattermost(authority: Authority): Promise<MattermostServer> {
  const faults = createFaults();
  const sockets = new WebSocketServer({ noServer: true });
  const listeners = new Set<Listener>();
  const joined = new EventTarget();
  const tokens = new Set<string>();
  let lost = 0;

  function sendEvent(listener: Listener, event: string, data: object, broadcast: object): void {
    const isLost = event !== 'hello' && lost > 0;
    if (isLost) lost -= 1;
    const frame = JSON.stringify({ event, data, broadcast, seq: listener.sent++ });
    if (!isLost) listener.socket.send(frame);
  }

  const world = createMattermostWorld((event, data, broadcast) => {
    const { channel_id: channelId = '', user_id: userId } = broadcast;
    const isMine = userId === bot.id || world.channels.get(channelId)?.members.has(bot.id);
    if (!isMine) return;
    for (const listener of listeners) {
      sendEvent(listener, event, data, { user_id: '', channel_id: '', ...broadcast });
    }
  });
  const bot = world.addUser({ username: 'atrium', is_bot: true, email: 'atrium@localhost' });
  const botToken = newId();
  tokens.add(botToken);
  const config: Record<string, string> = {
    Version: '11.9.0',
    BuildNumber: '11.9.0',
    SiteName: 'Acme chat',
    DiagnosticId: newId(),
    RequireEmailVerification: 'false',
    EnableFileAttachments: 'true',
    MaxFileSize: '104857600',
  };
  const isAllowed = (token: string | undefined) => token !== undefined && tokens.has(token);

  function greet(socket: WebSocket): void {
    const listener = { socket, sent: 0 };
    listeners.add(listener);
    socket.once('close', () => listeners.delete(listener));
    const data = { server_version: '11.9.0', connection_id: newId() };
    sendEvent(listener, 'hello', data, { user_id: bot.id });
    joined.dispatchEvent(new Event('joined'));
  }

  function onUpgrade(request: IncomingMessage, raw: Duplex, head: Buffer): void {
    const fault = faults.of(request);
    if (fault || request.url?.replace(/\/$/, '') !== '/api/v4/websocket') {
      raw.end(`HTTP/1.1 ${fault?.status ?? 404} No\r\nconnection: close\r\n\r\n`);
      return;
    }
    raw.on('error', () => {});
    sockets.handleUpgrade(request, raw, head, (socket) => {
      socket.on('error', () => {});
      const header = request.headers.authorization?.replace(/^Bearer /i, '');
      let isKnown = isAllowed(header);
      if (isKnown) greet(socket);
      socket.on('message', (bytes: Buffer) => {
        const { seq, action, data } = JSON.parse(bytes.toString()) as {
          seq: number;
          action: string;
          data?: { token?: string };
        };
        const reply = (more: object) => socket.send(JSON.stringify({ ...more, seq_reply: seq }));
        if (action === 'authentication_challenge' && !isKnown) {
          isKnown = isAllowed(data?.token);
          if (!isKnown) return socket.close();
          greet(socket);
          return reply({ status: 'OK' });
        }
        if (action === 'ping' && isKnown) return reply({ status: 'OK', data: { text: 'pong' } });
        reply({ status: 'FAIL', error: { id: 'api.web_socket_router.bad_action.app_error' } });
      });
    });
  }

  const handle = (request: IncomingMessage, response: ServerResponse) => {
    const run = () => answerMattermost({ world, bot, config, isAllowed }, body(), request);
    const body = () =>
      server.requests.findLast(({ headers }) => headers === request.headers)?.bytes ??
      Buffer.alloc(0);
    void answer(faults.of(request), response, run);
  };
  const server = await startHttpsServer({ authority, onUpgrade }, handle);
  const host = `localhost:${server.port}`;
  const drop = () => {
    for (const socket of sockets.clients) socket.terminate();
  };
  return {
    ...world,
    host,
    url: `https://${host}`,
    bot,
    botToken,
    config,
    faults,
    requests: () => server.requests.map(({ method, path }) => `${method} ${path}`),
    listeners: () => listeners.size,
    async listening() {
      if (listeners.size === 0) await once(joined, 'joined');
    },
    dropConnections: drop,
    loseEvents(count) {
      lost = count;
    },
    revokeToken() {
      tokens.clear();
      drop();
    },
    issueToken() {
      const token = newId();
      tokens.add(token);
      return token;
    },
    async close() {
      drop();
      sockets.close();
      await server.close();
    },
  };
}
