import { Atrium, AtriumError } from '@atrium/sdk';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { webApi, type OpenInvitation, type Role } from '../../data/web-api.ts';
import { keepGreeting } from '../../data/device/greeting.ts';
import { PROFILE_KEY } from '../../data/workspace.tsx';
import { Avatar } from '../../ui/marks/avatar.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { ErrorNote } from '../../ui/states/error-note.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { fieldErrors, Form, SaveError } from '../../ui/forms/form.tsx';
import { Day } from '../../ui/marks/time.tsx';
import { LinkButton } from '../../ui/controls/link-button.tsx';
import { FrontPage, FrontPageLoading, LONG_LABEL } from './front-page.tsx';
import { useEnterOrg } from './enter-org.ts';
import { useFinishSignIn } from './finish-sign-in.ts';
import { SendLinkButton } from './sign-in-forms.tsx';

export function Invitation() {
  const { token } = useParams({ from: '/invite/$token' });
  const invitation = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => webApi.invitation(token),
    staleTime: 0,
  });
  const { error, data } = invitation;
  if (error instanceof AtriumError && error.status === 404) return <NoInvitation />;
  if (error || !data) return <FrontPageLoading title="Your invitation" of={invitation} />;
  if (data.status !== 'PENDING') return <ClosedInvitation invitation={data} />;
  return (
    <FrontPage title={`Join ${data.org.name}`}>
      <Described invitation={data} />
      <NextStep invitation={data} token={token} />
    </FrontPage>
  );
}

/** What a role allows, in a sentence. */
const ROLE_MEANS: Record<Role, string> = {
  OWNER: 'Owner: can do everything, including changing the plan and other owners.',
  ADMIN: 'Admin: can also manage members, keys, integrations and credits.',
  MEMBER: 'Member: can use projects, sessions and memory.',
};

function Described({ invitation }: { invitation: OpenInvitation }) {
  const { org, inviter, email, role, expiresAt } = invitation;
  return (
    <div className="flex flex-col gap-3">
      <div className="flex items-center gap-3">
        <Avatar name={inviter.name} size="large" />
        <p className="min-w-0 wrap-anywhere" dir="auto">
          <b>{inviter.name}</b> invited you to <b>{org.name}</b> on Atrium.
        </p>
      </div>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm">
        <dt className="text-muted">Email</dt>
        <dd className="min-w-0 wrap-anywhere">{email}</dd>
        <dt className="text-muted">Role</dt>
        <dd>{ROLE_MEANS[role]}</dd>
        <dt className="text-muted">Valid until</dt>
        <dd>
          <Day at={expiresAt} />
        </dd>
      </dl>
    </div>
  );
}

function NextStep({ invitation, token }: { invitation: OpenInvitation; token: string }) {
  const { email, signedInAs, canSignUp } = invitation;
  const returnTo = `/invite/${encodeURIComponent(token)}`;
  if (signedInAs === null && canSignUp) return <SignUp invitation={invitation} token={token} />;
  if (signedInAs === null) {
    return (
      <>
        <p className="text-sm text-muted">
          First confirm that this is your address. We’ll send it a sign-in link that brings you back
          here.
        </p>
        <SendLinkButton email={email} returnTo={returnTo} />
      </>
    );
  }
  if (signedInAs.toLowerCase() !== email.toLowerCase()) return <OtherPerson {...invitation} />;
  return <Join invitation={invitation} token={token} />;
}

/** The emailed link has proved the address, so all that is missing is a name. */
function SignUp({ invitation, token }: { invitation: OpenInvitation; token: string }) {
  const finishSignIn = useFinishSignIn();
  const [name, setName] = useState('');
  const signUp = useMutation({
    mutationFn: () => webApi.signUp({ token, name: name.trim() }),
    onSuccess(profile) {
      sessionStorage.setItem('atrium.org', invitation.org.id);
      keepGreeting(invitation.org.id, invitation.inviter.name);
      finishSignIn(profile, '/');
    },
  });
  const problems = fieldErrors(signUp.error);
  return (
    <Form className="flex flex-col gap-4" onSubmit={() => signUp.mutate()}>
      <TextField
        label="Your name"
        hint="Others see it next to what you write."
        required
        autoFocus
        dir="auto"
        autoComplete="name"
        maxLength={120}
        error={problems['name']}
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      <SaveError saving={signUp} problems={problems} />
      <Button
        type="submit"
        look="primary"
        className={LONG_LABEL}
        isBusy={signUp.isPending}
        disabled={name.trim() === ''}
      >
        Join {invitation.org.name}
      </Button>
    </Form>
  );
}

function Join({ invitation, token }: { invitation: OpenInvitation; token: string }) {
  const enterOrg = useEnterOrg();
  const navigate = useNavigate();
  const { org } = invitation;
  const join = useMutation({
    mutationFn: async () => {
      try {
        await new Atrium({ auth: 'cookie' }).org.acceptInvitation(token);
      } catch (error) {
        if (!(error instanceof AtriumError && error.reason === 'already_member')) throw error;
      }
      keepGreeting(org.id, invitation.inviter.name);
      await enterOrg(org.id);
      await navigate({ to: '/', replace: true });
    },
  });
  return (
    <>
      {join.error && <ErrorNote error={join.error} />}
      <Button
        look="primary"
        autoFocus
        className={LONG_LABEL}
        isBusy={join.isPending}
        onClick={() => join.mutate()}
      >
        Join {org.name}
      </Button>
    </>
  );
}

/** Only the invited address can join. */
function OtherPerson({ email, signedInAs }: OpenInvitation) {
  const queryClient = useQueryClient();
  const signOut = useMutation({
    mutationFn: () => webApi.signOut(),
    onSuccess: () => {
      queryClient.setQueryData(PROFILE_KEY, null);
      location.reload();
    },
  });
  return (
    <>
      <p role="status" className="rounded-md bg-warn-soft p-3 text-sm wrap-anywhere">
        You are signed in as <b>{signedInAs}</b>, but this invitation is for <b>{email}</b>. Sign
        out to get a sign-in link for that address, or ask to be invited as {signedInAs}.
      </p>
      {signOut.error && <ErrorNote error={signOut.error} />}
      <Button look="primary" isBusy={signOut.isPending} onClick={() => signOut.mutate()}>
        Sign out
      </Button>
      <LinkButton to="/">Stay signed in and go to my projects</LinkButton>
    </>
  );
}

const CLOSED = {
  ACCEPTED: 'It was already accepted. If that was you, sign in.',
  REVOKED: 'It was revoked. Ask the person who invited you.',
  EXPIRED: 'It has expired. Invitations are valid for 7 days. Ask to be invited again.',
};

function ClosedInvitation({ invitation }: { invitation: OpenInvitation }) {
  const { status, org, inviter, signedInAs } = invitation;
  return (
    <FrontPage title="Invitation no longer valid">
      <p className="wrap-anywhere">
        {inviter.name} invited {invitation.email} to <b>{org.name}</b>.{' '}
        {status === 'PENDING' ? '' : CLOSED[status]}
      </p>
      <LinkButton look="primary" to="/">
        {signedInAs === null ? 'Sign in' : 'Go to my projects'}
      </LinkButton>
    </FrontPage>
  );
}

function NoInvitation() {
  return (
    <FrontPage title="Invitation not found">
      <p>
        The link may be incomplete, or a newer email has replaced it. Open the link in the latest
        invitation, or ask to be invited again.
      </p>
      <LinkButton look="primary" to="/">
        Go to Atrium
      </LinkButton>
    </FrontPage>
  );
}
