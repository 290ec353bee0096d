import { useId, useState } from 'react';
import { useProjectMembers } from '../../data/queries.ts';
import { useWorkspace } from '../../data/workspace.tsx';
import { Avatar } from '../../ui/marks/avatar.tsx';
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
export function ParticipantsField({ projectId, hint, value, onChange }: ParticipantsFieldProps) {
  const { profile } = useWorkspace();
  const { data: members } = useProjectMembers(projectId);
  const [filter, setFilter] = useState('');
  const id = useId();
  const others = members?.filter(({ userId }) => userId !== profile.userId);
  const shown = others?.filter(
    ({ userId, name, email }) =>
      filter.trim() === '' || value.includes(userId) || scoreMatch(filter, name, email) > 0,
  );
  return (
    <fieldset className="flex flex-col gap-2" aria-describedby={`${id}-hint`}>
      <legend className="mb-1 text-sm font-medium">Participants</legend>
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
      {others?.length === 0 && (
        <p className="text-sm text-muted">No one else is in this project yet.</p>
      )}
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
                <Avatar name={name} seed={userId} size="small" />
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
