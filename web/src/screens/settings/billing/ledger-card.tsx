import type { Atrium, LedgerEntry, Project } from '@atrium/sdk';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ReceiptText } from 'lucide-react';
import { useState } from 'react';
import { useProjects } from '../../../data/queries.ts';
import { orNull } from '../../../data/use-fetched.ts';
import { useWorkspace } from '../../../data/workspace.tsx';
import { cx } from '../../../ui/text/cx.ts';
import { EmptyState } from '../../../ui/states/empty-state.tsx';
import { Loading } from '../../../ui/states/loading.tsx';
import { Card } from '../../../ui/pages/page.tsx';
import { Pager } from '../../../ui/pages/pager.tsx';
import { Cell, HeadCell, NUMBER, Table } from '../../../ui/pages/table.tsx';
import { Day } from '../../../ui/marks/time.tsx';
import { toast, toastError } from '../../../ui/layers/toast.tsx';
import { kindInWords, sourceInWords } from './plans.ts';
import { LEDGER_PAGE, useLedger } from './queries.ts';

export function LedgerCard() {
  const [page, setPage] = useState(1);
  const ledger = useLedger(page);
  return (
    <Card
      title="Ledger"
      description="Everything that added or used credits, newest first. The entries add up to the balance."
    >
      <Loading of={ledger} rows={5} label="Loading the ledger…" />
      {ledger.data?.total === 0 && (
        <EmptyState icon={ReceiptText} title="No entries yet">
          The first entry is your plan’s credits. The next comes with the first answer that costs
          credits.
        </EmptyState>
      )}
      <Pager label="Ledger pages" of={ledger} page={page} limit={LEDGER_PAGE} onPage={setPage}>
        {(items) => <LedgerTable entries={items} />}
      </Pager>
    </Card>
  );
}

function LedgerTable({ entries }: { entries: readonly LedgerEntry[] }) {
  return (
    <Table
      caption="Ledger entries"
      isCaptionHidden
      head={
        <>
          <HeadCell>Date</HeadCell>
          <HeadCell>Description</HeadCell>
          <HeadCell className={NUMBER}>Credits</HeadCell>
        </>
      }
    >
      {entries.map((entry) => (
        <tr key={entry.id}>
          <Cell className="whitespace-nowrap text-muted">
            <Day at={entry.createdAt} />
          </Cell>
          <Cell>
            <span className="block font-medium">{kindInWords(entry)}</span>
            <span className="text-muted">{sourceInWords(entry)}</span>
            {entry.messageId && <MessageButton messageId={entry.messageId} />}
          </Cell>
          <Cell
            className={cx(
              NUMBER,
              'font-medium whitespace-nowrap',
              entry.credits > 0 && 'text-good',
            )}
          >
            {SIGNED.format(entry.credits)}
          </Cell>
        </tr>
      ))}
    </Table>
  );
}

const SIGNED = new Intl.NumberFormat(undefined, { signDisplay: 'exceptZero' });

function MessageButton({ messageId }: { messageId: string }) {
  const { client } = useWorkspace();
  const { data: projects } = useProjects();
  const navigate = useNavigate();
  const finding = useMutation({
    mutationFn: () => findMessage(client, projects ?? [], messageId),
    onSuccess: async (found) => {
      if (!found?.message) {
        toast('Answer not found. It may have been deleted, or be in a project you’re not in.');
        return;
      }
      const params = { slug: found.slug, sessionId: found.message.sessionId };
      await navigate({ to: '/p/$slug/s/$sessionId', params, search: { m: messageId } });
    },
    onError: toastError,
  });
  if (!projects || projects.length === 0) return null;
  return (
    <button
      type="button"
      disabled={finding.isPending}
      aria-busy={finding.isPending || undefined}
      className="ml-2 inline-flex min-h-6 items-center text-accent underline disabled:opacity-60"
      onClick={() => finding.mutate()}
    >
      {finding.isPending ? 'Searching…' : 'Show answer'}
    </button>
  );
}

const AT_ONCE = 4;
const MOST_PROJECTS = 60;

/**
 * Finds a message's project. The ledger only has the id and the API looks messages up by project, so this
 * asks project by project, a few at a time. Undefined if the person can't see it or it is gone.
 */
async function findMessage(client: Atrium, projects: readonly Project[], messageId: string) {
  for (let at = 0; at < Math.min(projects.length, MOST_PROJECTS); at += AT_ONCE) {
    const answers = await Promise.all(
      projects.slice(at, at + AT_ONCE).map(async ({ slug }) => {
        return { slug, message: await orNull(() => client.messages.get(slug, messageId)) };
      }),
    );
    const found = answers.find(({ message }) => message !== null);
    if (found) return found;
  }
  return undefined;
}
