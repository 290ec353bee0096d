import type { Project } from '@atrium/sdk';
import { useId } from 'react';

interface AccessFieldProps {
  org: string;
  value: Project['access'];
  onChange: (access: Project['access']) => void;
}

/** Who has access to a project. Each option says what it means. */
export function AccessField({ org, value, onChange }: AccessFieldProps) {
  const id = useId();
  const choices = [
    ['ORG', `Everyone in ${org}`, 'All members can see it and write in its sessions.'],
    [
      'MEMBERS',
      'Only people you add',
      'Its creator and the organisation’s owners and admins always have access.',
    ],
  ] as const;
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 text-sm font-medium">Who has access</legend>
      {choices.map(([access, label, means]) => (
        <div
          key={access}
          className="flex items-start gap-2.5 rounded-md border border-line p-3 has-checked:border-accent has-checked:bg-accent-soft"
        >
          <input
            type="radio"
            id={`${id}-${access}`}
            name={id}
            aria-describedby={`${id}-${access}-means`}
            className="mt-1 size-4 shrink-0 accent-accent-strong"
            checked={value === access}
            onChange={() => onChange(access)}
          />
          <div className="min-w-0">
            <label htmlFor={`${id}-${access}`} className="text-sm font-medium wrap-anywhere">
              {label}
            </label>
            <p id={`${id}-${access}-means`} className="text-note text-muted">
              {means}
            </p>
          </div>
        </div>
      ))}
    </fieldset>
  );
}
