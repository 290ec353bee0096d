import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { webApi, type UndoneChange } from '../../data/web-api.ts';
import { PROFILE_KEY } from '../../data/workspace.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { LinkButton } from '../../ui/controls/link-button.tsx';
import { FailureNote } from './failure-note.tsx';
import { useFragment } from './fragment.ts';
import { FrontPage } from './front-page.tsx';
import { SendLinkButton } from './sign-in-forms.tsx';

/** For the owner of the old address. Mail scanners open links too, so only the button undoes the change. */
export function UndoEmail() {
  const token = useFragment().get('token');
  if (token === null) return <NoToken />;
  return <Undo key={token} token={token} />;
}

function Undo({ token }: { token: string }) {
  const queryClient = useQueryClient();
  const undo = useMutation({
    mutationFn: () => webApi.undoEmail(token),
    onSuccess() {
      // The person is signed out everywhere, including here.
      queryClient.clear();
      queryClient.setQueryData(PROFILE_KEY, null);
    },
  });
  if (undo.isSuccess) return <Undone change={undo.data} />;
  return (
    <FrontPage title="Undo the address change">
      <p>
        This restores the address the email was sent to, signs out everyone who is signed in as you,
        removes the password, and revokes the API keys created since the change.
      </p>
      <FailureNote error={undo.error} reasons={REASONS} />
      <Button look="primary" autoFocus isBusy={undo.isPending} onClick={() => undo.mutate()}>
        Undo change
      </Button>
    </FrontPage>
  );
}

const REASONS = {
  link_used: 'The change was already undone with this link.',
  link_expired:
    'This link has expired: 7 days have passed, or an earlier change was undone. Ask your administrator for help.',
  email_taken: 'Another account uses this address now. Ask your administrator for help.',
};

function Undone({ change }: { change: UndoneChange }) {
  const { email, revokedKeys, remainingKeys, invitations } = change;
  return (
    <FrontPage title="Address change undone">
      <p role="status" className="wrap-anywhere">
        Your address is <b>{email}</b> again, and everyone is signed out. Sign in and set a new
        password.
      </p>
      {revokedKeys.length > 0 && (
        <Findings title="Revoked API keys, created since the change">
          {revokedKeys.map(({ name, prefix, orgName }) => (
            <li key={prefix}>
              <bdi>{name}</bdi> <span className="font-mono text-note text-muted">{prefix}…</span>,{' '}
              <bdi>{orgName}</bdi>
            </li>
          ))}
        </Findings>
      )}
      {invitations.length > 0 && (
        <Findings title="Invitations sent in your name, which still stand">
          {invitations.map(({ email: invited, isAccepted, orgName }) => (
            <li key={`${orgName} ${invited}`}>
              {invited}, <bdi>{orgName}</bdi>
              {isAccepted && ' (has joined)'}
            </li>
          ))}
        </Findings>
      )}
      {remainingKeys > 0 && (
        <p className="text-sm">
          {remainingKeys === 1
            ? 'One of your older API keys still works.'
            : `${remainingKeys} of your older API keys still work.`}{' '}
          Revoke any you don’t recognise.
        </p>
      )}
      <SendLinkButton email={email} returnTo="/settings/profile" />
    </FrontPage>
  );
}

function Findings({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="flex flex-col gap-1 text-sm">
      <h2 className="font-medium">{title}</h2>
      <ul className="flex list-disc flex-col gap-1 pl-5 wrap-anywhere">{children}</ul>
    </section>
  );
}

function NoToken() {
  return (
    <FrontPage title="Undo the address change">
      <p>Open this page with the link from the email. It works once and expires in 7 days.</p>
      <LinkButton look="primary" to="/sign-in">
        Go to sign-in
      </LinkButton>
    </FrontPage>
  );
}
