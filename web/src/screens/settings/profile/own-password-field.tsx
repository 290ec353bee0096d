import type { ComponentProps } from 'react';
import { useWorkspace } from '../../../data/workspace.tsx';
import { TextField } from '../../../ui/forms/field.tsx';

/** For what needs a fresh sign-in. Only for people who have a password. */
export function OwnPasswordField(props: Partial<ComponentProps<typeof TextField>>) {
  const { profile } = useWorkspace();
  if (!profile.hasPassword) return null;
  return (
    <TextField
      label="Your password"
      hint="Not needed if you signed in with a link in the last 10 minutes."
      fieldClassName="max-w-md"
      type="password"
      autoComplete="current-password"
      {...props}
    />
  );
}
