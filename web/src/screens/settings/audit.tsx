import { Download, ScrollText } from 'lucide-react';
import { useState } from 'react';
import { useMembers } from '../../data/queries.ts';
import { useWorkspace } from '../../data/workspace.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Avatar } from '../../ui/marks/avatar.tsx';
import { SelectField } from '../../ui/forms/select-field.tsx';
import { DayFields } from '../../ui/forms/filters.tsx';
import { EmptyState } from '../../ui/states/empty-state.tsx';
import { ErrorNote } from '../../ui/states/error-note.tsx';
import { Loading } from '../../ui/states/loading.tsx';
import { Card, PageHeader, RoleNote } from '../../ui/pages/page.tsx';
import { Pager } from '../../ui/pages/pager.tsx';
import { useDownload } from '../../ui/controls/use-download.ts';
import { AuditList } from './audit/audit-list.tsx';
import { RESOURCE_TYPES, thingInWords } from './audit/audit-words.ts';
import { AUDIT_PAGE, NO_FILTER, useAudit, useAuditCsv, type AuditFilter } from './audit/queries.ts';

export function AuditSettings() {
  const { isAdmin } = useWorkspace();
  return (
    <div className="flex flex-col gap-6">
      <PageHeader title="Audit log">
        Who changed what, and how: in the browser, with a key, through an agent, or automatically.
        Newest first.
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
      {data?.total === 0 && filter === NO_FILTER && (
        <EmptyState icon={ScrollText} title="No changes yet">
          Changes to projects, members, keys and integrations are listed here.
        </EmptyState>
      )}
      {data?.total === 0 && filter !== NO_FILTER && (
        <EmptyState icon={ScrollText} title="Nothing matches">
          Choose other filters to see more of the log.
        </EmptyState>
      )}
      <Pager label="Audit pages" of={entries} page={page} limit={AUDIT_PAGE} onPage={setPage}>
        {(items) => <AuditList entries={items} />}
      </Pager>
    </Card>
  );
}

interface AuditFiltersProps {
  filter: AuditFilter;
  onChange: (changes: Partial<AuditFilter>) => void;
}

function AuditFilters({ filter, onChange }: AuditFiltersProps) {
  const { data: members = [] } = useMembers();
  return (
    <div role="group" aria-label="Filters" className="grid grid-cols-2 gap-3 md:grid-cols-4">
      <SelectField
        label="What"
        value={filter.resourceType}
        onChange={(resourceType) => onChange({ resourceType })}
        empty="Anything"
        options={RESOURCE_TYPES.map((type) => ({ value: type, name: thingInWords(type) }))}
      />
      <SelectField
        label="Who"
        value={filter.actorUserId}
        onChange={(actorUserId) => onChange({ actorUserId })}
        empty="Anyone"
        options={members.map(({ userId, name, photo }) => ({
          value: userId,
          name,
          icon: <Avatar name={name} seed={userId} photo={photo} size="tiny" />,
        }))}
      />
      <DayFields after={filter.after} before={filter.before} onChange={onChange} />
    </div>
  );
}
