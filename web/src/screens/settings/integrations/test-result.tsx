import type { ConnectionTest } from '@atrium/sdk';
import { CircleCheck, CircleX } from 'lucide-react';
import { Badge } from '../../../ui/badge.tsx';
import { cx } from '../../../ui/cx.ts';
import { toSentence } from '../../../ui/sentence.ts';

/** What the server responded, or why it didn't. */
export function TestResult({ result }: { result: ConnectionTest }) {
  return (
    <div
      className={cx(
        'flex items-start gap-3 rounded-md border p-3 text-sm',
        result.ok ? 'border-good bg-good-soft' : 'border-danger bg-danger-soft',
      )}
    >
      {result.ok ? (
        <CircleCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-good" />
      ) : (
        <CircleX aria-hidden className="mt-0.5 size-4 shrink-0 text-danger" />
      )}
      {result.ok ? <Greeting result={result} /> : <Refusal error={result.error} />}
    </div>
  );
}

function Greeting({ result }: { result: Extract<ConnectionTest, { ok: true }> }) {
  const { serverInfo, protocolVersion, capabilities, latencyMs } = result;
  const offered = Object.keys(capabilities).toSorted();
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <p className="font-medium wrap-anywhere">
        Connected to <span dir="auto">{serverInfo.name}</span> {serverInfo.version}
      </p>
      <dl className="grid grid-cols-[auto_1fr] gap-x-3 gap-y-1">
        <dt>Protocol</dt>
        <dd className="wrap-anywhere">{protocolVersion}</dd>
        <dt>Latency</dt>
        <dd>{latencyMs.toLocaleString()} ms</dd>
        <dt>Capabilities</dt>
        <dd className="flex flex-wrap gap-1">
          {offered.length === 0 && 'None'}
          {offered.map((name) => (
            <Badge key={name}>{name}</Badge>
          ))}
        </dd>
      </dl>
      {!('tools' in capabilities) && (
        <p>It offers no tools, so mentioning it gives the model nothing to use.</p>
      )}
    </div>
  );
}

function Refusal({ error }: { error: { code: string; message: string } }) {
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <p className="font-medium">{TITLES[error.code] ?? 'Test failed.'}</p>
      <p className="wrap-anywhere">
        {toSentence(error.message)} <code className="text-xs">({error.code})</code>
      </p>
    </div>
  );
}

const TITLES: Record<string, string> = {
  refused: 'Atrium may not call this address.',
  network: 'Can’t reach the server.',
  timeout: 'The server took too long to respond.',
  unauthorized: 'The server rejected the secret.',
  server_error: 'The server returned an error.',
  not_mcp: 'There is no MCP server at this address.',
  too_large: 'The response is too large.',
  secret_unreadable: 'The stored secret can’t be read. Add the server again.',
};
