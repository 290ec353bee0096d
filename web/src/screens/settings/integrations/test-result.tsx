import type { ConnectionTest } from '@atrium/sdk';
import { CircleCheck, CircleX } from 'lucide-react';
import { Badge } from '../../../ui/badge.tsx';
import { cx } from '../../../ui/cx.ts';

/** What the server answered, or why there was no answer. */
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
        It answers: <span dir="auto">{serverInfo.name}</span> {serverInfo.version}
      </p>
      <dl className="grid grid-cols-[auto_1fr] gap-x-3 gap-y-1">
        <dt>Protocol</dt>
        <dd className="wrap-anywhere">{protocolVersion}</dd>
        <dt>Took</dt>
        <dd>{latencyMs.toLocaleString()} ms</dd>
        <dt>Offers</dt>
        <dd className="flex flex-wrap gap-1">
          {offered.length === 0 && 'nothing it names'}
          {offered.map((name) => (
            <Badge key={name}>{name}</Badge>
          ))}
        </dd>
      </dl>
      {!('tools' in capabilities) && (
        <p>It names no tools, so a model that is asked with it has nothing to use.</p>
      )}
    </div>
  );
}

function Refusal({ error }: { error: { code: string; message: string } }) {
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <p className="font-medium">{TITLES[error.code] ?? 'The test failed.'}</p>
      <p className="wrap-anywhere">
        {error.message} <code className="text-xs">({error.code})</code>
      </p>
    </div>
  );
}

const TITLES: Record<string, string> = {
  refused: 'That address may not be called.',
  network: 'The server cannot be reached.',
  timeout: 'The server took too long.',
  unauthorized: 'The server does not accept the secret.',
  server_error: 'The server has a problem of its own.',
  not_mcp: 'What answers there is no MCP server.',
  too_large: 'The answer is too large.',
  secret_unreadable: 'The stored secret cannot be read. Add the server again.',
};
