import { keys } from '../../data/query-keys.ts';
import { useFetched } from '../../data/use-fetched.ts';
import { webApi } from '../../data/web-api.ts';
import { Card } from '../../ui/pages/page.tsx';

const POLL_MS = 5_000;

/** How many memories can be found by meaning, and how far the model has got with the others. */
export function MemoryStatusCard() {
  const { data: status } = useFetched(
    (orgId) => [...keys.memory(orgId), 'status'],
    ({ org }) => webApi.memoryStatus(org.id),
    { refetchInterval: ({ state }) => (state.data && state.data.pending > 0 ? POLL_MS : false) },
  );
  return (
    <Card
      title="Memory search"
      description="An embedding model reads memories, so that searches find them by meaning."
    >
      <p role="status" className="text-sm">
        {status && describe(status)}
      </p>
      {status && <p className="text-note text-muted">Model: {status.model}</p>}
    </Card>
  );
}

function describe({ ready, pending }: { ready: number; pending: number }): string {
  const total = ready + pending;
  if (total === 0) return 'No memories yet.';
  if (pending === 0) {
    return total === 1
      ? 'It has read the only memory.'
      : `It has read all ${count(total)} memories.`;
  }
  return `It has read ${count(ready)} of ${count(total)} memories and is reading the rest. Until then, searches find those by their words only.`;
}

function count(number: number): string {
  return number.toLocaleString();
}
