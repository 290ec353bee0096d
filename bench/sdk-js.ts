import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Atrium } from '../sdk-js/src/index.ts';

const CALLS = 300;
const ROUNDS = 30;

/** Responds from memory, in its own process, so that this process only measures the client. */
const SERVER = `
  const record = (n) => ({ id: 'c' + n, slug: 'project-' + n, name: 'Project ' + n, description: null, tags: ['finance'],
    access: 'ORG', createdById: 'c1', createdAt: '2026-11-15T04:54:28.103Z', updatedAt: '2026-11-15T04:54:28.103Z', archivedAt: null });
  const items = Array.from({ length: 20 }, (_, n) => record(n));
  const text = (data) => JSON.stringify({ success: true, data, metadata: {} });
  const answers = { GET: text({ items, total: 20, page: 1, limit: 20 }), POST: text(record(0)) };
  const server = require('node:http').createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(200, { 'Content-Type': 'application/json' }).end(answers[request.method]));
  });
  server.listen(0, '127.0.0.1', () => process.send(server.address().port));
`;

/** Measures the overhead of the SDK: the same requests with bare `fetch` and with the SDK. */
export async function benchSdkJs(): Promise<void> {
  const server = spawn(process.execPath, ['--eval', SERVER], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  try {
    const [port] = await once(server, 'message');
    const baseURL = `http://127.0.0.1:${String(port)}/api`;
    const apiKey = `atr_${'a'.repeat(46)}`;
    const client = new Atrium({ apiKey, baseURL });
    const headers = { Authorization: `Bearer ${apiKey}` };
    await compare('GET /projects, 20 items', {
      bare: async () => {
        const response = await fetch(`${baseURL}/projects?limit=20`, { headers });
        return readData(response);
      },
      sdk: () => client.projects.list({ limit: 20 }),
    });
    await compare('POST /projects', {
      bare: async () => {
        const key = crypto.randomUUID();
        const response = await fetch(`${baseURL}/projects`, {
          method: 'POST',
          headers: { ...headers, 'Content-Type': 'application/json', 'Idempotency-Key': key },
          body: JSON.stringify({ name: 'A' }),
        });
        return readData(response);
      },
      sdk: () => client.projects.create({ name: 'A' }),
    });
  } finally {
    server.kill();
  }
}

type Act = () => PromiseLike<unknown>;

interface Cost {
  wall: number;
  cpu: number;
}

async function compare(name: string, { bare, sdk }: { bare: Act; sdk: Act }): Promise<void> {
  await measure(bare);
  await measure(sdk);
  const rounds: { bare: Cost; sdk: Cost }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    rounds.push({ bare: await measure(bare), sdk: await measure(sdk) });
  }
  for (const kind of ['wall', 'cpu'] as const) {
    // Take the fastest round of each: other work on the machine can only add time.
    const [bareCost, sdkCost] = (['bare', 'sdk'] as const).map((who) =>
      Math.min(...rounds.map((round) => round[who][kind])),
    ) as [number, number];
    const ratio = (sdkCost / bareCost).toFixed(2);
    console.log(
      `${name}, ${kind} time: fetch ${bareCost.toFixed()} µs, SDK ${sdkCost.toFixed()} µs, ratio ${ratio}`,
    );
  }
}

/** Microseconds per call. CPU time is more stable than wall time on a busy machine. */
async function measure(act: Act): Promise<Cost> {
  const start = performance.now();
  const before = process.cpuUsage();
  for (let n = 0; n < CALLS; n++) await act();
  const { user, system } = process.cpuUsage(before);
  return { wall: ((performance.now() - start) * 1000) / CALLS, cpu: (user + system) / CALLS };
}

async function readData(response: Response): Promise<unknown> {
  if (!response.ok) throw new Error(`failed with ${response.status}`);
  return ((await response.json()) as { data: unknown }).data;
}
