import { useMembers } from '../../../data/queries.ts';
import { SelectField } from '../../../ui/forms/field.tsx';
import { DayFields } from '../../../ui/forms/filters.tsx';
import type { AuditFilter } from './queries.ts';
import { RESOURCE_TYPES, thingInWords } from './audit-words.ts';

interface AuditFiltersProps {
  filter: AuditFilter;
  onChange: (changes: Partial<AuditFilter>) => void;
}

export function AuditFilters({ filter, onChange }: AuditFiltersProps) {
  const { data: members = [] } = useMembers();
  return (
    <div role="group" aria-label="Filters" className="grid grid-cols-2 gap-3 md:grid-cols-4">
      <SelectField
        label="What"
        value={filter.resourceType}
        onChange={({ target }) => onChange({ resourceType: target.value })}
        empty="Anything"
        options={RESOURCE_TYPES.map((type) => [type, thingInWords(type)])}
      />
      <SelectField
        label="Who"
        value={filter.actorUserId}
        onChange={({ target }) => onChange({ actorUserId: target.value })}
        empty="Anyone"
        options={members.map(({ userId, name }) => [userId, name])}
      />
      <DayFields after={filter.after} before={filter.before} onChange={onChange} />
    </div>
  );
}
