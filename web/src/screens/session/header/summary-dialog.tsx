import { keys } from '../../../data/query-keys.ts';
import { useFetched } from '../../../data/use-fetched.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Dialog, DialogActions } from '../../../ui/layers/dialog.tsx';
import { ErrorNote } from '../../../ui/states/error-note.tsx';
import { Spinner } from '../../../ui/states/spinner.tsx';
import { useSession } from '../session-context.ts';

/** What agents are told about the part of a long session that they no longer read. */
export function SummaryDialog({ onClose }: { onClose: () => void }) {
  const { slug, session } = useSession();
  const { data, error, isFetchedAfterMount } = useFetched(
    (orgId) => keys.sessionSummary(orgId, session.id),
    async ({ client }, options) => (await client.sessions.get(slug, session.id, options)).summary,
    { refetchOnMount: 'always' },
  );
  return (
    <Dialog
      title="Summary so far"
      description="Agents read the latest messages, and this summary of what was said before."
      onClose={onClose}
    >
      {error ? (
        <ErrorNote error={error} />
      ) : !isFetchedAfterMount ? (
        <Spinner label="Loading the summary" />
      ) : data ? (
        <p dir="auto" className="whitespace-pre-wrap wrap-anywhere">
          {data.text}
        </p>
      ) : (
        <p className="text-muted">
          There is no summary yet. A model writes one when it answers in a session that has become
          too long to read whole.
        </p>
      )}
      <DialogActions>
        <Button onClick={onClose}>Close</Button>
      </DialogActions>
    </Dialog>
  );
}
