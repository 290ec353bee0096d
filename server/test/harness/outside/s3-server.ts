import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  createServer,
  request as send,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { S3Config } from '../../../src/config/files.ts';
import { createS3Client } from '../../../src/adapters/storage/s3-client.ts';
import { freePort } from '../processes/free-port.ts';

/** moto's server, which scripts/test-services installs. Tests of S3 are skipped without it. */
export const S3_PROGRAM = process.env['TEST_S3_PROGRAM'];

export interface S3Server {
  /** Leads through a proxy that can fail. */
  config: S3Config;
  /** What the proxy has seen, such as `PUT ?partNumber`, the oldest first. */
  requests: string[];
  /** The next `times` requests that begin like this fail so. */
  fail(begins: string, fault: Fault, times?: number): void;
  close(): Promise<void>;
}

export type Fault =
  /** Without asking the service. */
  | { status: number; code: string; retryAfter?: string }
  /** The service gets the request, and its answer is lost. */
  | 'lose answer'
  /** Half of the answer's body. */
  | 'cut body'
  | 'hang';

export async function startS3Server(): Promise<S3Server> {
  const port = await freePort();
  const service = spawn(S3_PROGRAM ?? 'moto_server', ['-H', '127.0.0.1', '-p', String(port)], {
    stdio: 'ignore',
  });
  const requests: string[] = [];
  let faults: { begins: string; fault: Fault; left: number }[] = [];

  function faultFor(name: string): Fault | undefined {
    const found = faults.find(({ begins, left }) => left > 0 && name.startsWith(begins));
    if (found) found.left--;
    return found?.fault;
  }

  function handle(request: IncomingMessage, response: ServerResponse): void {
    const [path = '', query = ''] = (request.url ?? '').split('?');
    const [kind = ''] = query.split(/[=&]/);
    const name = `${request.method}${kind === '' ? '' : ` ?${kind}`} ${decodeURIComponent(path)}`;
    requests.push(name);
    const fault = faultFor(name);
    if (fault === 'hang') {
      request.resume();
      return;
    }
    if (typeof fault === 'object') {
      request.resume();
      const headers = fault.retryAfter === undefined ? {} : { 'retry-after': fault.retryAfter };
      response.writeHead(fault.status, headers);
      response.end(`<?xml version="1.0"?><Error><Code>${fault.code}</Code></Error>`);
      return;
    }
    const { method, url, headers } = request;
    const onward = send({ port, method, path: url, headers }, (answer) => {
      if (fault === 'lose answer') {
        answer.resume();
        answer.on('end', () => response.destroy());
        return;
      }
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      if (fault !== 'cut body') answer.pipe(response);
      else {
        let left = Number(answer.headers['content-length']) / 2;
        answer.on('data', (chunk: Buffer) => {
          if (left <= 0) return;
          response.write(chunk.subarray(0, left));
          left -= chunk.length;
          if (left <= 0) setTimeout(() => response.destroy(), 50);
        });
      }
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  }

  const proxy = createServer(handle).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const config: S3Config = {
    endpoint: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    bucket: 'files',
    region: 'us-east-1',
    accessKeyId: 'test-key-id',
    secretAccessKey: 'test-secret-key',
    prefix: '',
  };
  await makeBucket({ ...config, endpoint: `http://127.0.0.1:${port}` }, service);
  return {
    config,
    requests,
    fail(begins, fault, times = 1) {
      faults = [...faults.filter(({ left }) => left > 0), { begins, fault, left: times }];
    },
    async close() {
      proxy.closeAllConnections();
      proxy.close();
      service.kill('SIGKILL');
      if (service.exitCode === null) await once(service, 'exit');
    },
  };
}

/** As soon as the service answers, which takes some seconds. */
async function makeBucket(config: S3Config, service: { exitCode: number | null }): Promise<void> {
  const client = createS3Client(config);
  const deadline = Date.now() + 60_000;
  try {
    for (;;) {
      try {
        await client.send({ method: 'PUT' });
        return;
      } catch (error) {
        if (service.exitCode !== null || Date.now() > deadline) throw error;
        await sleep(100);
      }
    }
  } finally {
    await client.close();
  }
}
