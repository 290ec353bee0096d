import type { ChannelConnectionTest } from '@atrium/sdk';
import { TestBox } from '../test-box.tsx';

/** Whose token it is, or why the test failed. */
export function TestResult({ result }: { result: ChannelConnectionTest }) {
  return (
    <TestBox result={result} titles={TITLES}>
      {result.ok && (
        <p className="min-w-0 wrap-anywhere">
          It works. The token is for @{result.botName} in{' '}
          <bdi className="font-medium">{result.workspaceName}</bdi>, which answered in{' '}
          {result.latencyMs.toLocaleString()} ms.
        </p>
      )}
    </TestBox>
  );
}

const TITLES: Record<string, string> = {
  refused: 'Atrium may not call this address.',
  temporary: 'Can’t reach the chat system.',
  rate_limited: 'The chat system asks Atrium to slow down.',
  unauthorized: 'The chat system rejected the token.',
  forbidden: 'The bot isn’t allowed to do this.',
  wrong_server: 'This address doesn’t belong to a server of this chat system.',
};
