import type { Member } from '@atrium/sdk';
import { useId, useState } from 'react';
import { useProjectMembers } from '../../data/queries.ts';
import { useWorkspace } from '../../data/workspace.tsx';
import { PersonAvatar } from '../../shared/person/person-avatar.tsx';
import { WithPresence } from '../../shared/person/presence-dot.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { Skeleton } from '../../ui/states/skeleton.tsx';
import { scoreMatch } from '../../ui/text/fuzzy-match.ts';

interface ParticipantsFieldProps {
  projectId: string | undefined;
  hint: string;
  value: string[];
  onChange: (userIds: string[]) => void;
}

/** With more people than this, there is a search box. */
const FEW = 8;

/** Chooses among the other members of a project. Whoever uses it stays as they are. */
export function ParticipantsField({ projectId, ...field }: ParticipantsFieldProps) {
  const { data: members } = useProjectMembers(projectId);
  return (
    <PeopleField
      legend="Participants"
      empty="No one else is in this project yet."
      members={members}
      {...field}
    />
  );
}

interface PeopleFieldProps extends Omit<ParticipantsFieldProps, 'projectId'> {
  legend: string;
  /** What to say if there is nobody else. */
  empty: string;
  /** Undefined until they are loaded. */
  members: readonly Pick<Member, 'userId' | 'name' | 'email'>[] | undefined;
}

/** Chooses among these people, without the person themselves. */
export function PeopleField({ legend, empty, members, hint, value, onChange }: PeopleFieldProps) {
  const { profile } = useWorkspace();
  const [filter, setFilter] = useState('');
  const id = useId();
  const others = members?.filter(({ userId }) => userId !== profile.userId);
  const shown = others?.filter(
    ({ userId, name, email }) =>
      filter.trim() === '' || value.includes(userId) || scoreMatch(filter, name, email) > 0,
  );
  return (
    <fieldset className="flex flex-col gap-2" aria-describedby={`${id}-hint`}>
      <legend className="mb-1 text-sm font-medium">{legend}</legend>
      <p id={`${id}-hint`} className="text-note text-muted">
        {hint}
      </p>
      {others && others.length > FEW && (
        <TextField
          label="Find people"
          isLabelHidden
          type="search"
          placeholder="Find people"
          value={filter}
          onChange={(event) => setFilter(event.target.value)}
        />
      )}
      {!shown && <Skeleton className="h-9 w-full" />}
      {others?.length === 0 && <p className="text-sm text-muted">{empty}</p>}
      {shown && shown.length > 0 && (
        <ul className="max-h-44 overflow-y-auto rounded-md border border-line">
          {shown.map(({ userId, name, email }) => (
            <li key={userId}>
              <label className="flex min-h-10 cursor-pointer items-center gap-2.5 px-3 py-1 text-sm hover:bg-hover">
                <input
                  type="checkbox"
                  className="size-4 shrink-0 accent-accent-strong"
                  checked={value.includes(userId)}
                  onChange={({ target }) =>
                    onChange(
                      target.checked ? [...value, userId] : value.filter((one) => one !== userId),
                    )
                  }
                />
                <WithPresence userId={userId}>
                  <PersonAvatar userId={userId} name={name} size="small" />
                </WithPresence>
                <bdi className="min-w-0 truncate">{name}</bdi>
                <span className="min-w-0 truncate text-muted">{email}</span>
              </label>
            </li>
          ))}
        </ul>
      )}
    </fieldset>
  );
}
