import { ListFilter, X } from 'lucide-react';
import { useEffect, useId, useState } from 'react';
import { useProjects } from '../../data/queries.ts';
import { useWorkspace } from '../../data/workspace.tsx';
import type { MemorySearch } from './search-params.ts';
import { Button } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { SelectField, TextField } from '../../ui/field.tsx';
import { useAudience } from './audience.tsx';
import type { SearchChanges } from './search-params.ts';
import { dayInWords } from './days.ts';

interface FiltersProps {
  search: MemorySearch;
  /** Tags of the memories on the page, suggested in the tag field. */
  knownTags: string[];
  onChange: (changes: SearchChanges) => void;
}

/** On a phone, the fields unfold. Active filters are always shown below them. */
export function Filters({ search, knownTags, onChange }: FiltersProps) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const { data: projects = [] } = useProjects();
  return (
    <div className="flex flex-col gap-3">
      <Button
        className="self-start md:hidden"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <ListFilter aria-hidden className="size-4" />
        Filters
      </Button>
      <div
        id={id}
        role="group"
        aria-label="Filters"
        className={cx('grid-cols-2 gap-3 md:grid md:grid-cols-5', isOpen ? 'grid' : 'hidden')}
      >
        <SelectField
          label="Visible to"
          value={search.visibility ?? ''}
          onChange={({ target }) =>
            onChange({ visibility: (target.value || undefined) as MemorySearch['visibility'] })
          }
        >
          <option value="">Any</option>
          <option value="PRIVATE">Only you</option>
          <option value="PROJECT">A project</option>
          <option value="ORG">Everyone</option>
        </SelectField>
        <SelectField
          label="Project"
          value={search.project ?? ''}
          onChange={({ target }) => onChange({ project: target.value || undefined })}
        >
          <option value="">Any</option>
          {projects.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
        <TagFilter
          tag={search.tag ?? ''}
          knownTags={knownTags}
          onChange={(tag) => onChange({ tag })}
        />
        <TextField
          label="From"
          type="date"
          value={search.after ?? ''}
          max={search.before}
          onChange={({ target }) => onChange({ after: target.value || undefined })}
        />
        <TextField
          label="To"
          type="date"
          value={search.before ?? ''}
          min={search.after}
          onChange={({ target }) => onChange({ before: target.value || undefined })}
        />
      </div>
      <Chips search={search} onChange={onChange} />
    </div>
  );
}

/** Takes effect on Enter, on leaving the field, and on choosing from its list. */
function TagFilter({
  tag,
  knownTags,
  onChange,
}: {
  tag: string;
  knownTags: string[];
  onChange: (tag: string | undefined) => void;
}) {
  const [text, setText] = useState(tag);
  const id = useId();
  useEffect(() => setText(tag), [tag]);
  const apply = (written: string) => {
    const next = written.trim();
    if (next !== tag) onChange(next || undefined);
  };
  return (
    <div>
      <TextField
        label="Tag"
        dir="auto"
        list={id}
        maxLength={50}
        autoComplete="off"
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          if (target.value === '' || knownTags.includes(target.value)) apply(target.value);
        }}
        onBlur={() => apply(text)}
        onKeyDown={({ key }) => {
          if (key === 'Enter') apply(text);
        }}
      />
      <datalist id={id}>
        {knownTags.map((known) => (
          <option key={known} value={known} />
        ))}
      </datalist>
    </div>
  );
}

function Chips({ search, onChange }: Pick<FiltersProps, 'search' | 'onChange'>) {
  const { org } = useWorkspace();
  const { projectName } = useAudience();
  const audience = { PRIVATE: 'only you', PROJECT: 'a project', ORG: `everyone in ${org.name}` };
  const chips = [
    search.visibility && { name: 'visibility', words: `Visible to ${audience[search.visibility]}` },
    search.project && { name: 'project', words: projectName(search.project) },
    search.tag && { name: 'tag', words: `Tag: ${search.tag}` },
    search.after && { name: 'after', words: `From ${dayInWords(search.after)}` },
    search.before && { name: 'before', words: `To ${dayInWords(search.before)}` },
  ].filter((chip) => typeof chip === 'object');
  if (chips.length === 0) return null;
  return (
    <ul aria-label="Active filters" className="flex flex-wrap items-center gap-2">
      {chips.map(({ name, words }) => (
        <li key={name} className="min-w-0">
          <button
            type="button"
            aria-label={`Remove filter ${words}`}
            className="inline-flex min-h-8 max-w-full items-center gap-1.5 rounded-full bg-accent-soft px-3 text-note text-accent hover:brightness-95"
            onClick={() => onChange({ [name]: undefined })}
          >
            <span dir="auto" className="wrap-anywhere">
              {words}
            </span>
            <X aria-hidden className="size-3.5 shrink-0" />
          </button>
        </li>
      ))}
      {chips.length > 1 && (
        <li>
          <Button look="quiet" size="small" onClick={() => onChange(NO_FILTERS)}>
            Clear all filters
          </Button>
        </li>
      )}
    </ul>
  );
}

export const NO_FILTERS = {
  visibility: undefined,
  project: undefined,
  tag: undefined,
  after: undefined,
  before: undefined,
};
