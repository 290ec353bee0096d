import { useMembers, usePeople, useProjects } from '../../data/queries.ts';
import type { SearchChanges } from '../../data/search-params.ts';
import { dayInWords } from '../../ui/text/days.ts';
import { AgentAvatar, Avatar } from '../../ui/marks/avatar.tsx';
import { SelectField } from '../../ui/forms/select-field.tsx';
import { DayFields, FilterChips, FilterFields } from '../../ui/forms/filters.tsx';
import { nameSession, useAllSessions } from '../../data/all-sessions.ts';
import { useDirectSessions, useSessionName } from '../../data/direct.ts';
import { useAnswererNames } from './answerer-names.ts';
import { contentInWords, isContent } from './contents.ts';
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
          onChange={(id) => onChange({ project: id || undefined, session: undefined })}
          empty="Any"
          options={projects.map(({ id, name }) => ({ value: id, name }))}
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
  const direct = useDirectSessions() ?? [];
  const nameOf = useSessionName();
  const within = all.filter(({ project }) => !search.project || project.id === search.project);
  const isListed =
    within.some(({ sessions }) => sessions?.some(({ id }) => id === search.session)) ||
    direct.some(({ id }) => id === search.session);
  return (
    <SelectField
      label="Session"
      value={search.session ?? ''}
      onChange={(id) => onChange({ session: id || undefined })}
      empty="Any"
      options={[
        ...(search.session && !isListed
          ? [{ value: search.session, name: foundSessions.get(search.session) ?? OTHER }]
          : []),
        ...within.flatMap(({ project, sessions = [] }) =>
          sessions.map((session) => ({
            value: session.id,
            name: nameSession(session),
            group: project.name,
          })),
        ),
        ...direct.map((session) => ({
          value: session.id,
          name: nameOf(session),
          group: 'Direct messages',
        })),
      ]}
    />
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
      onChange={(value) =>
        value.startsWith(AGENT)
          ? onChange({ author: undefined, agent: value.slice(AGENT.length) })
          : onChange({ author: value || undefined, agent: undefined })
      }
      empty="Anyone"
      options={[
        ...(author && !isListed ? [{ value: author, name: people(author).name }] : []),
        ...(agent && !agents.has(agent) ? [{ value: `${AGENT}${agent}`, name: agent }] : []),
        ...members.map(({ userId, name, photo }) => ({
          value: userId,
          name,
          group: 'People',
          icon: <Avatar name={name} seed={userId} photo={photo} size="tiny" />,
        })),
        ...[...agents].map(([slug, name]) => ({
          value: `${AGENT}${slug}`,
          name,
          group: 'Agents and models',
          icon: <AgentAvatar slug={slug} size="tiny" />,
        })),
      ]}
    />
  );
}

function Chips({ search, foundSessions, onChange }: FiltersProps) {
  const { data: projects } = useProjects();
  const all = useAllSessions() ?? [];
  const direct = useDirectSessions() ?? [];
  const nameOf = useSessionName();
  const people = usePeople();
  const agents = useAnswererNames();
  const { project, session, author, agent, after, before, has } = search;
  const projectName = projects?.find(({ id }) => id === project)?.name;
  const listed = [...all.flatMap(({ sessions = [] }) => sessions), ...direct];
  const known = listed.find(({ id }) => id === session);
  const sessionName = known ? nameOf(known) : foundSessions.get(session ?? '');
  return (
    <FilterChips
      chips={[
        project && { name: 'project', words: `Project: ${projectName ?? 'another project'}` },
        session && { name: 'session', words: `Session: ${sessionName ?? 'another session'}` },
        author && { name: 'author', words: `By ${people(author).name}` },
        agent && { name: 'agent', words: `By ${agents.get(agent) ?? agent}` },
        after && { name: 'after', words: `From ${dayInWords(after)}` },
        before && { name: 'before', words: `To ${dayInWords(before)}` },
        isContent(has) ? { name: 'has', words: `Has: ${contentInWords(has)}` } : undefined,
      ]}
      onRemove={(name: keyof MessageSearch) => onChange({ [name]: undefined })}
      onClear={() => onChange(NO_FILTERS)}
    />
  );
}
