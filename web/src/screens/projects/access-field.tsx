import type { Project } from '@atrium/sdk';
import { useId } from 'react';
import { RadioField } from '../../ui/forms/field.tsx';

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
        <RadioField
          key={access}
          name={id}
          label={label}
          hint={means}
          className="rounded-md border border-line p-3 has-checked:border-accent has-checked:bg-accent-soft"
          checked={value === access}
          onChange={() => onChange(access)}
        />
      ))}
    </fieldset>
  );
}
