import { ScrollText } from 'lucide-react';
import { useState } from 'react';
import { useWorkspace } from '../../data/workspace.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { TextField } from '../../ui/field.tsx';
import { Card, PageHeader, RoleNote } from '../../ui/page.tsx';
import { Pager } from '../../ui/pager.tsx';
import { SkeletonList } from '../../ui/skeleton.tsx';
import { AuditList } from './audit/audit-list.tsx';
import { AUDIT_PAGE, useAudit } from './audit/queries.ts';

export function AuditSettings() {
  const { isAdmin } = useWorkspace();
  return (
    <div className="flex flex-col gap-6">
      <PageHeader title="Audit log">
        Who changed what, and how: in the browser, with a key, or automatically. Newest first.
      </PageHeader>
      {isAdmin ? (
        <AuditLog />
      ) : (
        <RoleNote>
          Only owners and admins can see the audit log. Ask one of them if you need to know who
          changed something.
        </RoleNote>
      )}
    </div>
  );
}

function AuditLog() {
  const [page, setPage] = useState(1);
  const [query, setQuery] = useState('');
  const { data, error, refetch, isPlaceholderData } = useAudit(page);
  return (
    <Card>
      {error && <ErrorNote error={error} onRetry={() => void refetch()} />}
      {!data && !error && <SkeletonList rows={6} label="Loading the audit log…" />}
      {data?.total === 0 && (
        <EmptyState icon={<ScrollText className="size-8" />} title="No changes yet">
          Changes to projects, members, keys and integrations are listed here.
        </EmptyState>
      )}
      {data && data.total > 0 && (
        <>
          <TextField
            label="Filter this page"
            type="search"
            dir="auto"
            placeholder="For example: key revoked"
            fieldClassName="max-w-sm"
            value={query}
            onChange={({ target }) => setQuery(target.value)}
          />
          <div aria-busy={isPlaceholderData}>
            <AuditList entries={data.items} query={query.trim()} />
          </div>
          <Pager
            label="Audit pages"
            page={page}
            limit={AUDIT_PAGE}
            total={data.total}
            onPage={setPage}
          />
        </>
      )}
    </Card>
  );
}
