import { useMutation } from '@tanstack/react-query';
import { MailCheck } from 'lucide-react';
import { useState } from 'react';
import { webApi } from '../../../data/web-api.ts';
import { useWorkspace } from '../../../data/workspace.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { TextField } from '../../../ui/forms/field.tsx';
import { fieldErrors, Form } from '../../../ui/forms/form.tsx';
import { Card } from '../../../ui/pages/page.tsx';
import { AccountError } from '../fresh-sign-in.tsx';
import { OwnPasswordField } from './own-password-field.tsx';

/** The address changes only when the link sent to the new address is opened. */
export function EmailForm() {
  const { profile } = useWorkspace();
  const [email, setEmail] = useState('');
  const [current, setCurrent] = useState('');
  const [problem, setProblem] = useState<string>();
  const send = useMutation({
    mutationFn: (address: string) =>
      webApi.changeEmail({ email: address, ...(current !== '' && { currentPassword: current }) }),
    gcTime: 0,
    onSuccess: () => setCurrent(''),
  });
  const refused = fieldErrors(send.error);

  function submit() {
    const address = email.trim();
    const wrong = findProblem(address, profile.email);
    setProblem(wrong);
    if (!wrong) send.mutate(address);
  }

  return (
    <Card
      title="Email address"
      description={
        <>
          You sign in as{' '}
          <strong className="font-medium text-ink wrap-anywhere">{profile.email}</strong>.
        </>
      }
    >
      <Form noValidate className="flex flex-col gap-3" onSubmit={submit}>
        <OwnPasswordField
          error={refused['currentPassword']}
          value={current}
          onChange={({ target }) => setCurrent(target.value)}
        />
        <div className="flex flex-wrap items-end gap-3">
          <TextField
            label="New address"
            hint="We’ll send a link to the new address. Nothing changes until you open it."
            fieldClassName="min-w-0 flex-1 basis-52 max-w-md"
            type="email"
            autoComplete="off"
            maxLength={254}
            error={problem ?? refused['email']}
            value={email}
            onChange={({ target }) => setEmail(target.value)}
          />
          <Button type="submit" isBusy={send.isPending}>
            Send link
          </Button>
        </div>
        <AccountError saving={send} problems={refused} />
        <div role="status">
          {send.data && (
            <p className="flex items-start gap-2 rounded-md bg-good-soft px-3 py-2 text-sm text-good">
              <MailCheck aria-hidden className="mt-0.5 size-4 shrink-0" />
              <span className="min-w-0 wrap-anywhere">
                We sent a link to {send.data.email}. Open it in this browser within 15 minutes. If
                no email arrives, another account may use this address.
              </span>
            </p>
          )}
        </div>
      </Form>
    </Card>
  );
}

function findProblem(address: string, current: string): string | undefined {
  if (!/^\S+@\S+$/.test(address)) return 'Enter an email address, such as ada@example.com.';
  if (address.toLowerCase() === current.toLowerCase()) return 'This is already your address.';
  return undefined;
}
