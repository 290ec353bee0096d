import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import type { Authority } from '../certificates.ts';
import { startHttpsServer } from '../https-server.ts';
import { answer, createFaults, type Faults } from './faults.ts';
import { answerSlack } from './slack-api.ts';
import { createSlackDeliveries, type SlackDeliveries } from './slack-deliveries.ts';
import { createSlackUploads, type SlackUploads } from './slack-uploads.ts';
import {
  BOT_ID,
  BOT_USER_ID,
  createSlackWorld,
  type SlackFile,
  type SlackWorld,
} from './slack-world.ts';

export interface SlackServer extends SlackWorld {
  /** For SLACK_API_BASE. */
  origin: string;
  botToken: string;
  appToken: string;
  signingSecret: string;
  botUserId: string;
  botId: string;
  faults: Faults;
  deliveries: SlackDeliveries;
  uploads: SlackUploads;
  /** A file that can be downloaded with the bot's token, for `write`. */
  addFile(name: string, content: Buffer): SlackFile;
  /** Methods, in order. */
  calls(): string[];
  /** Resolves when a socket was greeted; at once if there is one. */
  listening(): Promise<void>;
  /** Without a word, as a network would. */
  dropConnections(): void;
  /** Says so first, as Slack does every few hours. */
  refreshConnections(): void;
  /** Both tokens, with Slack's name for the reason. */
  revokeTokens(error?: string): void;
  /** They work again. */
  restoreTokens(): void;
  close(): Promise<void>;
}

/** Slack's Web API, Socket Mode and Events API on loopback, with one app in one workspace. */
export async function startSlack(authority: Authority): Promise<SlackServer> {
  const faults = createFaults();
  const deliveries = createSlackDeliveries();
  const sockets = new WebSocketServer({ noServer: true });
  const joined = new EventTarget();
  const botToken = 'xoxb-1-test';
  const appToken = 'xapp-1-test';
  let isRevoked = false;
  let revokedError = 'invalid_auth';
  let tickets = 0;
  const contents = new Map<string, Buffer>();

  /** Only what happens in channels that the app is in. */
  const world = createSlackWorld((event, channelId) => {
    if (world.channels.get(channelId)?.members.has(BOT_USER_ID)) deliveries.emit(event);
  });

  const uploads = createSlackUploads(world, () => `https://localhost:${server.port}`);

  function onUpgrade(request: IncomingMessage, raw: Duplex, head: Buffer): void {
    raw.on('error', () => {});
    if (isRevoked || !request.url?.startsWith('/link/?ticket=')) {
      raw.end('HTTP/1.1 404 No\r\nconnection: close\r\n\r\n');
      return;
    }
    sockets.handleUpgrade(request, raw, head, (socket) => {
      socket.on('error', () => {});
      deliveries.join(socket);
      joined.dispatchEvent(new Event('joined'));
    });
  }

  const handle = (request: IncomingMessage, response: ServerResponse) => {
    const state = {
      world,
      uploads,
      isBotToken: (token: string | undefined) => !isRevoked && token === botToken,
      isAppToken: (token: string | undefined) => !isRevoked && token === appToken,
      revokedError,
      socketUrl: () => `wss://localhost:${server.port}/link/?ticket=${++tickets}`,
    };
    const sent = server.requests.findLast(({ headers }) => headers === request.headers);
    const method = request.url?.replace(/^\/api\//, '') ?? '';
    const token = request.headers.authorization?.replace(/^Bearer /i, '');
    if (request.url?.startsWith('/files-pri/')) {
      // Slack's own sign-in page, for everybody else.
      const bytes = state.isBotToken(token) ? contents.get(request.url) : Buffer.from('<html>');
      const found = { status: bytes ? 200 : 404, bytes: bytes ?? Buffer.alloc(0) };
      void answer(faults.of(request), response, () => found);
      return;
    }
    if (request.url?.startsWith('/upload/')) {
      void answer(faults.of(request), response, () => {
        const isTaken = uploads.receive(request.url ?? '', sent?.bytes ?? Buffer.alloc(0));
        return { status: isTaken ? 200 : 400, bytes: Buffer.from(isTaken ? 'OK' : 'No') };
      });
      return;
    }
    void answer(faults.of(request), response, () => ({
      status: 200,
      json: answerSlack(state, method, sent?.body ?? '', token),
    }));
  };
  const server = await startHttpsServer({ authority, onUpgrade }, handle);
  const drop = () => {
    for (const socket of sockets.clients) socket.terminate();
  };
  return {
    ...world,
    origin: `https://localhost:${server.port}`,
    botToken,
    appToken,
    signingSecret: 'signing-secret-for-tests',
    botUserId: BOT_USER_ID,
    botId: BOT_ID,
    faults,
    deliveries,
    uploads,
    addFile(name, content) {
      const id = `F${contents.size + 1}`;
      const path = `/files-pri/T0ACME-${id}/file`;
      contents.set(path, content);
      return {
        id,
        name,
        permalink: `https://acme.slack.com/files/${id}`,
        url_private: `https://localhost:${server.port}${path}`,
        mimetype: 'application/octet-stream',
        size: content.length,
        mode: 'hosted',
      };
    },
    calls: () => server.requests.map(({ path }) => path.replace(/^\/api\//, '')),
    async listening() {
      if (deliveries.listeners() === 0) await once(joined, 'joined');
    },
    dropConnections: drop,
    refreshConnections() {
      for (const socket of sockets.clients) {
        socket.send(JSON.stringify({ type: 'disconnect', reason: 'refresh_requested' }));
      }
    },
    revokeTokens(error = 'token_revoked') {
      isRevoked = true;
      revokedError = error;
      drop();
    },
    restoreTokens() {
      isRevoked = false;
    },
    async close() {
      drop();
      sockets.close();
      await server.close();
    },
  };
}
