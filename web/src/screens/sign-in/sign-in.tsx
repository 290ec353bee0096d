import { useMutation } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { webApi, type Profile } from '../../data/web-api.ts';
import { useProfile } from '../../data/workspace.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { FailureNote, isDeadLink } from './failure-note.tsx';
import { useFinishSignIn } from './finish-sign-in.ts';
import { useFragment } from './fragment.ts';
import { FrontPage, FrontPageLoading, LONG_LABEL } from './front-page.tsx';
import { LinkForm, PasswordForm } from './sign-in-forms.tsx';
import { readReturnTo } from './return-to.ts';

export function SignIn() {
  const fragment = useFragment();
  const token = fragment.get('token');
  const [deadToken, setDeadToken] = useState<string>();
  const { data: profile, isPending } = useProfile();
  const search = new URLSearchParams(location.search);
  const returnTo = readReturnTo(fragment.get('returnTo') ?? search.get('returnTo'));
  if (token && token !== deadToken) {
    const props = { token, returnTo, profile: profile ?? null };
    return <UseLink key={token} {...props} onNewLink={() => setDeadToken(token)} />;
  }
  if (profile) return <GoOn to={returnTo} />;
  if (isPending) return <FrontPageLoading title="Sign in" />;
  return <AskForSignIn returnTo={returnTo} wasEnded={search.has('ended')} />;
}

function AskForSignIn({ returnTo, wasEnded }: { returnTo: string; wasEnded: boolean }) {
  const [email, setEmail] = useState('');
  const [way, setWay] = useState<'link' | 'password'>('link');
  const props = { email, onEmailChange: setEmail, returnTo };
  return (
    <FrontPage title="Sign in">
      {wasEnded && (
        <p role="status" className="rounded-md bg-warn-soft p-3 text-sm">
          You were signed out. Your session expired or was ended on another device. Sign in to
          continue where you left off.
        </p>
      )}
      {way === 'link' ? (
        <LinkForm {...props}>
          <Button look="quiet" onClick={() => setWay('password')}>
            Use a password instead
          </Button>
        </LinkForm>
      ) : (
        <PasswordForm {...props}>
          <Button look="quiet" onClick={() => setWay('link')}>
            Use an email link instead
          </Button>
        </PasswordForm>
      )}
    </FrontPage>
  );
}

interface UseLinkProps {
  token: string;
  returnTo: string;
  profile: Profile | null;
  onNewLink: () => void;
}

/** Mail scanners open links too, so only the button uses up the link. */
function UseLink({ token, returnTo, profile, onNewLink }: UseLinkProps) {
  const finish = useFinishSignIn();
  const router = useRouter();
  const signIn = useMutation({
    mutationFn: () => webApi.signIn({ token }),
    onSuccess: (signedIn) => finish(signedIn, returnTo),
  });
  const isDead = isDeadLink(signIn.error);
  return (
    <FrontPage title="Sign in">
      <FailureNote error={signIn.error} />
      {!isDead && (
        <>
          <p className="text-muted">This link works once, in this browser.</p>
          <Button
            look="primary"
            autoFocus
            isBusy={signIn.isPending}
            onClick={() => signIn.mutate()}
          >
            Sign in
          </Button>
        </>
      )}
      {isDead && !profile && (
        <Button look="primary" onClick={onNewLink}>
          Get a new link
        </Button>
      )}
      {profile && (
        <Button className={LONG_LABEL} onClick={() => router.history.replace(returnTo)}>
          Continue as {profile.email}
        </Button>
      )}
    </FrontPage>
  );
}

function GoOn({ to }: { to: string }) {
  const router = useRouter();
  useEffect(() => router.history.replace(to), [router, to]);
  return <FrontPageLoading title="Sign in" />;
}
