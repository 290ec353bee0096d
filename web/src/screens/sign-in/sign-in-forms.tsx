import { useMutation } from '@tanstack/react-query';
import { MailCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { webApi } from '../../data/web-api.ts';
import { Button } from '../../ui/controls/button.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { FailureNote } from './failure-note.tsx';
import { useFinishSignIn } from './finish-sign-in.ts';
import { LONG_LABEL } from './front-page.tsx';

interface SignInFormProps {
  email: string;
  onEmailChange: (email: string) => void;
  returnTo: string;
  /** Other ways to sign in. */
  children?: ReactNode;
}

export function LinkForm({ email, onEmailChange, returnTo, children }: SignInFormProps) {
  const send = useMutation({
    mutationFn: () => webApi.sendSignInLink(email.trim(), returnTo === '/' ? undefined : returnTo),
  });
  if (send.isSuccess) return <LinkSent email={email.trim()} onAgain={() => send.reset()} />;
  return (
    <Form className="flex flex-col gap-4" onSubmit={() => send.mutate()}>
      <EmailField autoFocus value={email} onChange={onEmailChange} />
      <FailureNote error={send.error} />
      <Button type="submit" look="primary" isBusy={send.isPending}>
        Email me a link
      </Button>
      {children}
    </Form>
  );
}

export function PasswordForm({ email, onEmailChange, returnTo, children }: SignInFormProps) {
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

interface EmailFieldProps {
  autoFocus: boolean;
  value: string;
  onChange: (email: string) => void;
}

/** The address that a person signs in with. */
function EmailField({ onChange, ...rest }: EmailFieldProps) {
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

/** Sends a link to a fixed address, such as the invited one. */
export function SendLinkButton({ email, returnTo }: { email: string; returnTo: string }) {
  const send = useMutation({ mutationFn: () => webApi.sendSignInLink(email, returnTo) });
  if (send.isSuccess) return <LinkSent email={email} onAgain={() => send.reset()} />;
  return (
    <>
      <FailureNote error={send.error} />
      <Button
        look="primary"
        className={LONG_LABEL}
        isBusy={send.isPending}
        onClick={() => send.mutate()}
      >
        Send a sign-in link to {email}
      </Button>
    </>
  );
}

function LinkSent({ email, onAgain }: { email: string; onAgain: () => void }) {
  return (
    <div className="flex flex-col gap-4">
      <div role="status" className="flex items-start gap-3 rounded-md bg-good-soft p-3 text-sm">
        <MailCheck aria-hidden className="mt-0.5 size-5 shrink-0 text-good" />
        <p className="min-w-0 wrap-anywhere">
          If <b>{email}</b> can sign in here, we’ve sent it a link. It expires in 15 minutes.
        </p>
      </div>
      <Button autoFocus onClick={onAgain}>
        Try again or use another address
      </Button>
      <details className="text-sm text-muted">
        <summary className="min-h-6 w-fit rounded underline underline-offset-4">
          Didn’t get an email?
        </summary>
        <p className="pt-2">
          Check your spam folder and the spelling of the address. If <code>SMTP_URL</code> is not
          set, the server writes emails to files instead of sending them: ask your administrator.
        </p>
      </details>
    </div>
  );
}
