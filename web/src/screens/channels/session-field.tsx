import { useSessions } from '../../data/queries.ts';
import { Options, SelectField } from '../../ui/forms/field.tsx';
import { nameSession } from '../../data/all-sessions.ts';

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
      <Options of={offered.map((session) => [session.id, nameSession(session)])} />
    </SelectField>
  );
}
