import { TextField } from '../../../ui/forms/field.tsx';

/** For what needs a fresh sign-in. Only for people who have a password. */
export function OwnPasswordField({
  error,
  value,
  onChange,
}: {
  error: string | undefined;
  value: string;
  onChange: (password: string) => void;
}) {
  return (
    <TextField
      label="Your password"
      hint="Not needed if you signed in with a link in the last 10 minutes."
      fieldClassName="max-w-md"
      type="password"
      autoComplete="current-password"
      error={error}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}
