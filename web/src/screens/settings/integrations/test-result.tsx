import type { ConnectionTest } from '@atrium/sdk';
import { Badge } from '../../../ui/marks/badge.tsx';
import { TestBox } from '../test-box.tsx';

/** What the server responded, or why it didn't. */
export function TestResult({ result }: { result: ConnectionTest }) {
  return (
    <TestBox result={result} titles={TITLES}>
      {result.ok && <Greeting result={result} />}
    </TestBox>
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
