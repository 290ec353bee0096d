import { useProjects } from '../../data/queries.ts';
import { useWorkspace } from '../../data/workspace.tsx';
import type { SearchChanges } from '../../data/search-params.ts';
import { dayInWords } from '../../ui/text/days.ts';
import { optionsOf } from '../../ui/pickers/picker-option.ts';
import { SelectField } from '../../ui/forms/select-field.tsx';
import { DayFields, FilterChips, FilterFields } from '../../ui/forms/filters.tsx';
import { useAudience } from './audience.tsx';
import type { MemorySearch } from './search-params.ts';

interface FiltersProps {
  search: MemorySearch;
  /** On the page of a project, which is not chosen here. */
  isInProject: boolean;
  /** Tags of the memories on the page, suggested in the tag field. */
  knownTags: string[];
  onChange: (changes: SearchChanges<MemorySearch>) => void;
}

const VISIBLE_TO = { '': 'Any', PRIVATE: 'Only you', PROJECT: 'A project', ORG: 'Everyone' };

/** Active filters are always shown below the fields. */
export function Filters({ search, isInProject, knownTags, onChange }: FiltersProps) {
  const { data: projects = [] } = useProjects();
  return (
    <div className="flex flex-col gap-3">
      <FilterFields>
        <SelectField
          label="Visible to"
          value={search.visibility ?? ''}
          onChange={(visibility) => onChange({ visibility: visibility || undefined })}
          options={optionsOf(VISIBLE_TO)}
        />
        {!isInProject && (
          <SelectField
            label="Project"
            value={search.project ?? ''}
            onChange={(id) => onChange({ project: id || undefined })}
            empty="Any"
            options={projects.map(({ id, name }) => ({ value: id, name }))}
          />
        )}
        <TagField tag={search.tag ?? ''} knownTags={knownTags} onChange={onChange} />
        <DayFields after={search.after} before={search.before} onChange={onChange} />
      </FilterFields>
      <Chips search={search} onChange={onChange} />
    </div>
  );
}

interface TagFieldProps extends Pick<FiltersProps, 'knownTags' | 'onChange'> {
  tag: string;
}

/** A tag of the page, or any other that is typed. */
function TagField({ tag, knownTags, onChange }: TagFieldProps) {
  const tags = [...new Set(tag === '' ? knownTags : [tag, ...knownTags])];
  return (
    <SelectField
      label="Tag"
      value={tag}
      onChange={(next) => onChange({ tag: next || undefined })}
      empty="Any"
      options={tags.map((name) => ({ value: name, name }))}
      onCheck={() => undefined}
    />
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
