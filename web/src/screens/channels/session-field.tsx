import { useSessions } from '../../data/queries.ts';
import { SelectField } from '../../ui/field.tsx';
import { nameSession } from '../shell/all-sessions.ts';

interface SessionFieldProps {
  slug: string;
  mappedIds: ReadonlySet<string>;
  newName: string | undefined;
  error: string | undefined;
  value: string;
  onChange: (sessionId: string) => void;
}

/** Private sessions and those that are mapped already are left out, and so are discussions of tasks. */
export function SessionField({
  slug,
  mappedIds,
  newName,
  error,
  value,
  onChange,
}: SessionFieldProps) {
  const { data: sessions = [] } = useSessions(slug);
  const offered = sessions.filter(
    ({ id, access, taskId }) => access === 'PROJECT' && taskId === null && !mappedIds.has(id),
  );
  return (
    <SelectField
      label="Session"
      hint="Private sessions can’t be mapped."
      error={error}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    >
      <option value="">{newName ? `New session named ${newName}` : 'New session'}</option>
      {offered.map((session) => (
        <option key={session.id} value={session.id}>
          {nameSession(session)}
        </option>
      ))}
    </SelectField>
  );
}
