import { TextField } from '../../ui/forms/field.tsx';

interface EmailFieldProps {
  autoFocus: boolean;
  value: string;
  onChange: (email: string) => void;
}

/** The address that a person signs in with. */
export function EmailField({ onChange, ...rest }: EmailFieldProps) {
  return (
    <TextField
      label="Email"
      type="email"
      name="email"
      autoComplete="username"
      required
      maxLength={254}
      onChange={({ target }) => onChange(target.value)}
      {...rest}
    />
  );
}
