import { useMembers } from '../../../data/queries.ts';
import { SelectField, TextField } from '../../../ui/forms/field.tsx';
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
      <TextField
        label="From"
        type="date"
        value={filter.from}
        max={filter.to || undefined}
        onChange={({ target }) => onChange({ from: target.value })}
      />
      <TextField
        label="To"
        type="date"
        value={filter.to}
        min={filter.from || undefined}
        onChange={({ target }) => onChange({ to: target.value })}
      />
    </div>
  );
}
