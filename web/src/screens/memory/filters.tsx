import { useProjects } from '../../data/queries.ts';
import { useWorkspace } from '../../data/workspace.tsx';
import type { SearchChanges } from '../../data/search-params.ts';
import { dayInWords } from '../../ui/text/days.ts';
import { SelectField } from '../../ui/forms/field.tsx';
import { DayFields, FilterChips, FilterFields, WordFilter } from '../../ui/forms/filters.tsx';
import { useAudience } from './audience.tsx';
import type { MemorySearch } from './search-params.ts';

interface FiltersProps {
  search: MemorySearch;
  /** Tags of the memories on the page, suggested in the tag field. */
  knownTags: string[];
  onChange: (changes: SearchChanges<MemorySearch>) => void;
}

/** Active filters are always shown below the fields. */
export function Filters({ search, knownTags, onChange }: FiltersProps) {
  const { data: projects = [] } = useProjects();
  return (
    <div className="flex flex-col gap-3">
      <FilterFields>
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
          empty="Any"
          options={projects.map(({ id, name }) => [id, name])}
        />
        <WordFilter
          label="Tag"
          value={search.tag ?? ''}
          suggestions={knownTags}
          onChange={(tag) => onChange({ tag })}
        />
        <DayFields after={search.after} before={search.before} onChange={onChange} />
      </FilterFields>
      <Chips search={search} onChange={onChange} />
    </div>
  );
}

function Chips({ search, onChange }: Pick<FiltersProps, 'search' | 'onChange'>) {
  const { org } = useWorkspace();
  const { projectName } = useAudience();
  const audience = { PRIVATE: 'only you', PROJECT: 'a project', ORG: `everyone in ${org.name}` };
  return (
    <FilterChips
      chips={[
        search.visibility && {
          name: 'visibility',
          words: `Visible to ${audience[search.visibility]}`,
        },
        search.project && { name: 'project', words: projectName(search.project) },
        search.tag && { name: 'tag', words: `Tag: ${search.tag}` },
        search.after && { name: 'after', words: `From ${dayInWords(search.after)}` },
        search.before && { name: 'before', words: `To ${dayInWords(search.before)}` },
      ]}
      onRemove={(name: keyof MemorySearch) => onChange({ [name]: undefined })}
      onClear={() => onChange(NO_FILTERS)}
    />
  );
}

export const NO_FILTERS = {
  visibility: undefined,
  project: undefined,
  tag: undefined,
  after: undefined,
  before: undefined,
};
