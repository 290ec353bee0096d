import { ArrowDownUp, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../../../ui/controls/button.tsx';
import { Menu, MenuRadios, MenuSeparator } from '../../../ui/controls/menu.tsx';
import { MultiPicker, type MultiPickerProps } from '../../../ui/pickers/picker.tsx';
import { cx } from '../../../ui/text/cx.ts';
import { PRIORITY_OPTIONS, STATUS_OPTIONS, useLabelOptions } from '../pickers/options.tsx';
import type { Status } from '../statuses.ts';
import { DUE_OPTIONS, RUN_OPTIONS, useAssigneeFilter } from './filter-options.tsx';
import {
  assigneesIn,
  isFiltered,
  NO_FILTERS,
  prioritiesIn,
  runsIn,
  statusesIn,
  statusText,
  withDefaults,
  type Due,
  type Group,
  type Sort,
  type TaskSearch,
  type TaskSearchChanges,
} from './search-params.ts';

const SORT: Record<Sort, string> = {
  rank: 'Board order',
  dueOn: 'Due date',
  priority: 'Priority',
  updatedAt: 'Last updated',
};
const GROUP: Record<Group, string> = {
  none: 'No groups',
  status: 'Status',
  assignee: 'Assignee',
  priority: 'Priority',
  due: 'Due date',
};

interface FilterBarProps {
  /** Undefined: tasks of all projects. */
  projectId: string | undefined;
  search: TaskSearch;
  isBoard?: boolean;
  onChange: (changes: TaskSearchChanges) => void;
  /** At the end of the line. */
  children?: ReactNode;
}

/** A chip for each filter, which opens what there is to choose from. All of them are kept in the address. */
export function FilterBar({ projectId, search, isBoard, onChange, children }: FilterBarProps) {
  const isAcross = projectId === undefined;
  const full = withDefaults(search, isAcross);
  const assignees = useAssigneeFilter(projectId, assigneesIn(full));
  const listed = (values: string[]) => values.join(',') || undefined;
  return (
    <div
      role="group"
      aria-label="Filters"
      // On a phone one line that scrolls: the tasks need the room.
      className="flex items-center gap-1.5 max-sm:-mx-4 max-sm:overflow-x-auto max-sm:px-4 max-sm:pb-1 max-sm:*:shrink-0 sm:flex-wrap"
    >
      <Chip
        label="Status"
        options={STATUS_OPTIONS}
        values={statusesIn(search) ?? []}
        onChange={(values) => onChange({ status: statusText(values as Status[]) })}
      />
      <Chip
        label="Assignee"
        options={assignees}
        values={assigneesIn(full)}
        onChange={(values) =>
          onChange({ assignee: listed(values) ?? (isAcross ? 'all' : undefined) })
        }
      />
      <Chip
        label="Priority"
        options={PRIORITY_OPTIONS}
        values={prioritiesIn(search)}
        onChange={(values) => onChange({ priority: listed(values) })}
      />
      {projectId === undefined ? (
        <LabelChip options={[]} {...{ search, onChange }} />
      ) : (
        <ProjectLabelChip {...{ projectId, search, onChange }} />
      )}
      <Chip
        label="Due"
        options={DUE_OPTIONS}
        values={search.due ? [search.due] : []}
        // One at a time: each includes those before it.
        onChange={(values) => onChange({ due: values.at(-1) as Due | undefined })}
      />
      <Chip
        label="Agent"
        options={RUN_OPTIONS}
        values={runsIn(search)}
        onChange={(values) => onChange({ run: listed(values) })}
      />
      {(isBoard || isAcross) && <WordsChip {...{ search, onChange }} />}
      {isFiltered(search) && (
        <Button look="quiet" size="small" onClick={() => onChange({ q: undefined, ...NO_FILTERS })}>
          Clear all filters
        </Button>
      )}
      <div className="flex items-center gap-1.5 sm:ml-auto sm:flex-wrap">
        {children}
        {!isBoard && <Arrangement full={full} onChange={onChange} />}
      </div>
    </div>
  );
}

type FilterProps = Pick<FilterBarProps, 'search' | 'onChange'>;

/** Offers the labels that the project's tasks have. */
function ProjectLabelChip({ projectId, ...rest }: FilterProps & { projectId: string }) {
  const { label } = rest.search;
  return <LabelChip options={useLabelOptions(projectId, label ? [label] : [])} {...rest} />;
}

function LabelChip({ options, search, onChange }: FilterProps & Pick<ChipProps, 'options'>) {
  return (
    <Chip
      label="Label"
      options={options}
      values={search.label ? [search.label] : []}
      onCheck={(text) => (text.length > 50 ? 'A label has at most 50 characters.' : undefined)}
      onChange={(values) => onChange({ label: values.at(-1) })}
    />
  );
}

/** The words of a search, on pages without a search field. */
function WordsChip({ search, onChange }: FilterProps) {
  if (!search.q) return null;
  return (
    <span className={cx(CHIP, ON, 'pl-2.5')}>
      <span className="min-w-0 truncate">
        Words: <bdi className="font-medium">{search.q}</bdi>
      </span>
      <RemoveButton label="Words" onClick={() => onChange({ q: undefined })} />
    </span>
  );
}

interface ArrangementProps {
  full: ReturnType<typeof withDefaults>;
  onChange: FilterBarProps['onChange'];
}

function Arrangement({ full, onChange }: ArrangementProps) {
  return (
    <Menu
      trigger={
        <Button look="quiet" size="small" icon={ArrowDownUp}>
          Arrange
        </Button>
      }
    >
      <MenuRadios
        label="Group by"
        options={GROUP}
        value={full.group}
        onChange={(group) => onChange({ group })}
        staysOpen
      />
      <MenuSeparator />
      <MenuRadios
        label="Order by"
        options={SORT}
        value={full.sort}
        onChange={(sort) => onChange({ sort })}
        staysOpen
      />
    </Menu>
  );
}

type ChipProps = Pick<MultiPickerProps, 'label' | 'options' | 'values' | 'onChange' | 'onCheck'>;

const CHIP = 'inline-flex min-h-7 max-w-full min-w-0 items-center rounded-full border text-note';
const ON = 'border-transparent bg-accent-soft text-accent';
const MOST_NAMED = 2;

/** One filter. If it is on, it says what for, and can be removed. */
function Chip({ label, options, values, onChange, onCheck }: ChipProps) {
  const isOn = values.length > 0;
  const names = values.map((value) => options.find((one) => one.value === value)?.name ?? value);
  const more = names.length - MOST_NAMED;
  const some = [...names.slice(0, MOST_NAMED), ...(more > 0 ? [`${more} more`] : [])].join(', ');
  const words = more > 0 && names.length === options.length ? 'all' : some;
  return (
    <span className={cx(CHIP, isOn ? ON : 'border-dashed border-edge text-muted')}>
      <MultiPicker
        {...{ label, options, values, onChange, onCheck }}
        empty="any"
        look="chip"
        className={cx(
          'min-h-7! rounded-full! border-0! text-note!',
          isOn ? 'pr-1!' : 'hover:text-ink',
        )}
      >
        <span className="min-w-0 truncate">
          {isOn ? (
            <>
              {label}: <bdi className="font-medium">{words}</bdi>
            </>
          ) : (
            label
          )}
        </span>
      </MultiPicker>
      {isOn && <RemoveButton label={label} onClick={() => onChange([])} />}
    </span>
  );
}

function RemoveButton({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <button
      type="button"
      aria-label={`Remove filter ${label}`}
      className="mr-0.5 inline-flex size-7 shrink-0 items-center justify-center rounded-full hover:bg-hover"
      onClick={onClick}
    >
      <X aria-hidden className="size-3.5" />
    </button>
  );
}
