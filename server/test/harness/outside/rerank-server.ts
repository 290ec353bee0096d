import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

interface RawAnswer {
  status: number;
  body: string;
  location?: string;
}

export interface RerankServer {
  url: string;
  requests: {
    authorization: string | undefined;
    body: { query: string; documents: string[]; top_n: number; model?: string };
  }[];
  answerWith(score: (documents: string[]) => number[]): void;
  answerRaw(answer: RawAnswer): void;
  hang(): void;
  close(): Promise<void>;
}

/** Speaks the wire format of POST /rerank at Cohere and Jina, which list the best text first. */
export async function startRerankServer(): Promise<RerankServer> {
  const requests: RerankServer['requests'] = [];
  let respond: (response: ServerResponse, documents: string[]) => void = () => {};
  const answerWith: RerankServer['answerWith'] = (score) => {
    respond = (response, documents) => {
      const results = score(documents)
        .map((relevance_score, index) => ({ index, relevance_score }))
        .toSorted((a, b) => b.relevance_score - a.relevance_score);
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ id: 'x', results }));
    };
  };
  answerWith((documents) => documents.map(() => 0.5));
  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = JSON.parse(await text(request)) as RerankServer['requests'][number]['body'];
    requests.push({ authorization: request.headers.authorization, body });
    respond(response, body.documents);
  }
  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1/rerank`,
    requests,
    answerWith,
    answerRaw({ status, body, location }) {
      respond = (response) =>
        response.writeHead(status, location === undefined ? {} : { location }).end(body);
    },
    hang() {
      respond = () => {};
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
