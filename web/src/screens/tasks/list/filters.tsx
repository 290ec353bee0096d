import type { ReactNode } from 'react';
import { Options, SelectField } from '../../../ui/forms/field.tsx';
import { FilterChips, FilterFields, WordFilter } from '../../../ui/forms/filters.tsx';
import { AssigneeOptions } from '../assignee-options.tsx';
import { useAssigneeName } from '../assignees.ts';
import { NO_FILTERS, type TaskSearch, type TaskSearchChanges } from './search-params.ts';
import { STATUS } from '../task-words.ts';

const DUE = { overdue: 'Overdue', week: 'In the next 7 days' };
const SORT = {
  dueOn: 'Due first',
  priority: 'Highest priority first',
  updatedAt: 'Recently updated',
};

interface FiltersProps {
  projectId: string;
  search: TaskSearch;
  onChange: (changes: TaskSearchChanges) => void;
}

export function Filters({ projectId, search, onChange }: FiltersProps) {
  return (
    <div className="flex flex-col gap-3">
      <FilterFields>
        <Select label="Status" name="status" {...{ search, onChange }}>
          <option value="">Open</option>
          <Options of={Object.entries(STATUS)} />
          <option value="all">All</option>
        </Select>
        <Select label="Assignee" name="assignee" {...{ search, onChange }}>
          <option value="">Anyone</option>
          <option value="me">Me</option>
          <AssigneeOptions projectId={projectId} value={search.assignee ?? ''} />
        </Select>
        <WordFilter
          label="Label"
          value={search.label ?? ''}
          onChange={(label) => onChange({ label })}
        />
        <Select label="Due" name="due" {...{ search, onChange }}>
          <option value="">Any time</option>
          <Options of={Object.entries(DUE)} />
        </Select>
        <Select label="Order" name="sort" {...{ search, onChange }}>
          <option value="">As on the board</option>
          <Options of={Object.entries(SORT)} />
        </Select>
      </FilterFields>
      <Chips search={search} onChange={onChange} />
    </div>
  );
}

interface SelectProps extends Pick<FiltersProps, 'search' | 'onChange'> {
  label: string;
  /** The parameter of the address. Without it, the empty option is chosen. */
  name: 'status' | 'assignee' | 'due' | 'sort';
  children: ReactNode;
}

function Select({ label, name, search, onChange, children }: SelectProps) {
  return (
    <SelectField
      label={label}
      value={search[name] ?? ''}
      onChange={({ target }) => onChange({ [name]: target.value || undefined })}
    >
      {children}
    </SelectField>
  );
}

function Chips({ search, onChange }: Pick<FiltersProps, 'search' | 'onChange'>) {
  const nameOf = useAssigneeName();
  const { status, assignee, label, due } = search;
  const statusName = status === 'all' ? 'any' : status && STATUS[status];
  return (
    <FilterChips
      chips={[
        statusName && { name: 'status', words: `Status: ${statusName}` },
        assignee && {
          name: 'assignee',
          words: assignee === 'me' ? 'Assigned to me' : `Assigned to ${nameOf(assignee)}`,
        },
        label && { name: 'label', words: `Label: ${label}` },
        due && { name: 'due', words: DUE[due] },
      ]}
      onRemove={(name: keyof TaskSearch) => onChange({ [name]: undefined })}
      onClear={() => onChange(NO_FILTERS)}
    />
  );
}
