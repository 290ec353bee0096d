import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { webApi } from '../../data/web-api.ts';
import { PROFILE_KEY, useProfile } from '../../data/workspace.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { LinkButton } from '../../ui/controls/link-button.tsx';
import { FailureNote } from './failure-note.tsx';
import { useFragment } from './fragment.ts';
import { FrontPage, FrontPageLoading } from './front-page.tsx';

/** Keeps the token out of the address bar while the person signs in. */
const HELD = 'atrium.confirm-email';

export function ConfirmEmail() {
  const fragment = useFragment();
  const [held] = useState(() => sessionStorage.getItem(HELD));
  const profile = useProfile();
  const token = fragment.get('token') ?? held;
  if (token === null) return <NoToken />;
  if (profile.isPending || profile.error) {
    return <FrontPageLoading title="Confirm your address" of={profile} />;
  }
  if (profile.data === null) return <SignInFirst token={token} />;
  return <Confirm key={token} token={token} email={profile.data.email} />;
}

function SignInFirst({ token }: { token: string }) {
  const navigate = useNavigate();
  useEffect(() => {
    sessionStorage.setItem(HELD, token);
    void navigate({ to: '/sign-in', search: { returnTo: '/confirm-email' }, replace: true });
  }, [navigate, token]);
  return <FrontPageLoading title="Confirm your address" />;
}

function Confirm({ token, email }: { token: string; email: string }) {
  const queryClient = useQueryClient();
  const confirm = useMutation({
    mutationFn: () => webApi.confirmEmail(token),
    onSuccess: (profile) => queryClient.setQueryData(PROFILE_KEY, profile),
    onSettled: () => sessionStorage.removeItem(HELD),
  });
  if (confirm.isSuccess) {
    return (
      <FrontPage title="Email address changed">
        <p role="status" className="wrap-anywhere">
          You now sign in as <b>{confirm.data.email}</b>.
        </p>
        <LinkButton look="primary" to="/">
          Go to your projects
        </LinkButton>
      </FrontPage>
    );
  }
  return (
    <FrontPage title="Confirm your address">
      <p className="wrap-anywhere">
        You are signed in as <b>{email}</b>. Confirm to replace it with the address this link was
        sent to.
      </p>
      <FailureNote
        error={confirm.error}
        reasons={{
          email_taken: `Another account uses this address now. Your address is still ${email}.`,
        }}
      />
      <Button look="primary" autoFocus isBusy={confirm.isPending} onClick={() => confirm.mutate()}>
        Confirm address
      </Button>
      <LinkButton to="/settings/profile">Go to your profile</LinkButton>
    </FrontPage>
  );
}

function NoToken() {
  return (
    <FrontPage title="Confirm your address">
      <p>Open this page with the link from the email. It works once and expires in 15 minutes.</p>
      <LinkButton look="primary" to="/settings/profile">
        Go to your profile
      </LinkButton>
    </FrontPage>
  );
}
