import { Download, ScrollText } from 'lucide-react';
import { useState } from 'react';
import { useWorkspace } from '../../data/workspace.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { EmptyState } from '../../ui/states/empty-state.tsx';
import { ErrorNote } from '../../ui/states/error-note.tsx';
import { Loading } from '../../ui/states/loading.tsx';
import { Card, PageHeader, RoleNote } from '../../ui/pages/page.tsx';
import { Pager } from '../../ui/pages/pager.tsx';
import { useDownload } from '../../ui/controls/use-download.ts';
import { AuditFilters } from './audit/audit-filters.tsx';
import { AuditList } from './audit/audit-list.tsx';
import { AUDIT_PAGE, NO_FILTER, useAudit, useAuditCsv, type AuditFilter } from './audit/queries.ts';

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
  const { org } = useWorkspace();
  const [page, setPage] = useState(1);
  const [filter, setFilter] = useState<AuditFilter>(NO_FILTER);
  const entries = useAudit(page, filter);
  const { data } = entries;
  const download = useDownload(`${org.name} audit log.csv`, useAuditCsv(filter));
  return (
    <Card>
      <AuditFilters
        filter={filter}
        onChange={(changes) => {
          setPage(1);
          setFilter({ ...filter, ...changes });
        }}
      />
      <div>
        <Button
          size="small"
          isBusy={download.isPending}
          disabled={!data || data.total === 0}
          onClick={() => download.mutate()}
          icon={Download}
        >
          Download CSV
        </Button>
      </div>
      {download.error && <ErrorNote error={download.error} />}
      <Loading of={entries} rows={6} label="Loading the audit log…" />
      {data?.total === 0 && <NoEntries isFiltered={filter !== NO_FILTER} />}
      {data && data.total > 0 && (
        <>
          <div aria-busy={entries.isPlaceholderData}>
            <AuditList entries={data.items} />
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

function NoEntries({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) {
    return (
      <EmptyState icon={ScrollText} title="Nothing matches">
        Choose other filters to see more of the log.
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={ScrollText} title="No changes yet">
      Changes to projects, members, keys and integrations are listed here.
    </EmptyState>
  );
}
