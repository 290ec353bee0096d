import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { webApi } from '../../data/web-api.ts';
import { Button } from '../../ui/controls/button.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { EmailField } from './email-field.tsx';
import { FailureNote } from './failure-note.tsx';
import { useFinishSignIn } from './finish-sign-in.ts';

interface PasswordFormProps {
  email: string;
  onEmailChange: (email: string) => void;
  returnTo: string;
  children?: ReactNode;
}

export function PasswordForm({ email, onEmailChange, returnTo, children }: PasswordFormProps) {
  const finish = useFinishSignIn();
  const signIn = useMutation({
    // Read from the form on submit, so that the password is never kept in state.
    mutationFn: (password: string) => webApi.signIn({ email: email.trim(), password }),
    onSuccess: (profile) => finish(profile, returnTo),
  });
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        const password = new FormData(event.currentTarget).get('password');
        signIn.mutate(typeof password === 'string' ? password : '');
      }}
    >
      <EmailField autoFocus={email === ''} value={email} onChange={onEmailChange} />
      <TextField
        label="Password"
        type="password"
        name="password"
        autoComplete="current-password"
        autoFocus={email !== ''}
        required
        maxLength={200}
        hint="No password? Sign in with an email link and set one in your profile."
      />
      <FailureNote error={signIn.error} />
      <Button type="submit" look="primary" isBusy={signIn.isPending}>
        Sign in
      </Button>
      {children}
    </form>
  );
}
