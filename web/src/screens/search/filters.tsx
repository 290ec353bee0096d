import { useAgents, useMembers, useModels, usePeople, useProjects } from '../../data/queries.ts';
import type { SearchChanges } from '../../data/search-params.ts';
import { dayInWords } from '../../ui/text/days.ts';
import { Options, SelectField } from '../../ui/forms/field.tsx';
import { DayFields, FilterChips, FilterFields } from '../../ui/forms/filters.tsx';
import { nameSession, useAllSessions } from '../../data/all-sessions.ts';
import { NO_FILTERS, type MessageSearch } from './search-params.ts';

interface FiltersProps {
  search: MessageSearch;
  /** The names of sessions that aren't in the sidebar, such as archived ones, by id. */
  foundSessions: ReadonlyMap<string, string>;
  onChange: (changes: SearchChanges<MessageSearch>) => void;
}

export function Filters({ search, foundSessions, onChange }: FiltersProps) {
  const { data: projects = [] } = useProjects();
  return (
    <div className="flex flex-col gap-3">
      <FilterFields>
        <SelectField
          label="Project"
          value={search.project ?? ''}
          onChange={({ target }) =>
            onChange({ project: target.value || undefined, session: undefined })
          }
          empty="Any"
          options={projects.map(({ id, name }) => [id, name])}
        />
        <SessionField {...{ search, foundSessions, onChange }} />
        <AuthorField search={search} onChange={onChange} />
        <DayFields after={search.after} before={search.before} onChange={onChange} />
      </FilterFields>
      <Chips {...{ search, foundSessions, onChange }} />
    </div>
  );
}

function SessionField({ search, foundSessions, onChange }: FiltersProps) {
  const all = useAllSessions() ?? [];
  const within = all.filter(({ project }) => !search.project || project.id === search.project);
  const isListed = within.some(({ sessions }) => sessions?.some(({ id }) => id === search.session));
  return (
    <SelectField
      label="Session"
      value={search.session ?? ''}
      onChange={({ target }) => onChange({ session: target.value || undefined })}
    >
      <option value="">Any</option>
      {search.session && !isListed && (
        <option value={search.session}>{foundSessions.get(search.session) ?? OTHER}</option>
      )}
      {within
        .filter(({ sessions = [] }) => sessions.length > 0)
        .map(({ project, sessions = [] }) => (
          <optgroup key={project.id} label={project.name}>
            <Options of={sessions.map((session) => [session.id, nameSession(session)])} />
          </optgroup>
        ))}
    </SelectField>
  );
}

const OTHER = 'Another session';
/** Before the slug of an agent or a model, in the field that lists people too. */
const AGENT = 'agent:';

function AuthorField({ search, onChange }: Omit<FiltersProps, 'foundSessions'>) {
  const { data: members = [] } = useMembers();
  const people = usePeople();
  const agents = useAnswererNames();
  const { author, agent } = search;
  const isListed = members.some(({ userId }) => userId === author);
  return (
    <SelectField
      label="Author"
      value={agent ? `${AGENT}${agent}` : (author ?? '')}
      onChange={({ target: { value } }) =>
        value.startsWith(AGENT)
          ? onChange({ author: undefined, agent: value.slice(AGENT.length) })
          : onChange({ author: value || undefined, agent: undefined })
      }
    >
      <option value="">Anyone</option>
      {author && !isListed && <option value={author}>{people(author).name}</option>}
      {agent && !agents.has(agent) && <option value={`${AGENT}${agent}`}>{agent}</option>}
      <optgroup label="People">
        <Options of={members.map(({ userId, name }) => [userId, name])} />
      </optgroup>
      <optgroup label="Agents and models">
        <Options of={[...agents].map(([slug, name]) => [`${AGENT}${slug}`, name])} />
      </optgroup>
    </SelectField>
  );
}

/** Everything that can have answered, by its slug. A model has no other name. */
function useAnswererNames(): ReadonlyMap<string, string> {
  const { data: agents = [] } = useAgents();
  const { data: models = [] } = useModels();
  return new Map([
    ...agents.map(({ slug, name }) => [slug, name] as const),
    ...models.map(({ slug }) => [slug, slug] as const),
  ]);
}

function Chips({ search, foundSessions, onChange }: FiltersProps) {
  const { data: projects } = useProjects();
  const all = useAllSessions() ?? [];
  const people = usePeople();
  const agents = useAnswererNames();
  const { project, session, author, agent, after, before } = search;
  const projectName = projects?.find(({ id }) => id === project)?.name;
  const known = all.flatMap(({ sessions = [] }) => sessions).find(({ id }) => id === session);
  const sessionName = known ? nameSession(known) : foundSessions.get(session ?? '');
  return (
    <FilterChips
      chips={[
        project && { name: 'project', words: `Project: ${projectName ?? 'another project'}` },
        session && { name: 'session', words: `Session: ${sessionName ?? 'another session'}` },
        author && { name: 'author', words: `By ${people(author).name}` },
        agent && { name: 'agent', words: `By ${agents.get(agent) ?? agent}` },
        after && { name: 'after', words: `From ${dayInWords(after)}` },
        before && { name: 'before', words: `To ${dayInWords(before)}` },
      ]}
      onRemove={(name: keyof MessageSearch) => onChange({ [name]: undefined })}
      onClear={() => onChange(NO_FILTERS)}
    />
  );
}
