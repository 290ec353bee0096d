import { useRouter } from '@tanstack/react-router';
import { Suspense, useEffect, useState } from 'react';
import { lazyPart } from '../data/parts.ts';
import type { Profile } from '../data/web-api.ts';
import { useProfile, useWorkspace, WorkspaceProvider } from '../data/workspace.tsx';
import { ErrorNote } from '../ui/states/error-note.tsx';
import { Frame } from './frame.tsx';
import { FrameLoading } from './frame-loading.tsx';

// Most people have an org.
const NoOrg = lazyPart(() => import('../screens/sign-in/create-org.tsx'), 'NoOrg');

/** What surrounds every screen of a signed-in person. Anyone else is sent to sign in. */
export function Shell() {
  const { data: profile, error, refetch } = useProfile();
  const [known, setKnown] = useState<Profile>();
  if (profile && !known) setKnown(profile);
  if (profile === undefined && error) {
    return (
      <main className="mx-auto flex min-h-dvh max-w-md flex-col justify-center gap-4 p-4">
        <h1 className="text-xl font-semibold">Can’t reach Atrium</h1>
        <ErrorNote error={error} onRetry={() => void refetch()} />
      </main>
    );
  }
  if (profile === undefined) return <FrameLoading />;
  if (profile === null) return <ToSignIn wasSignedIn={known !== undefined} />;
  // Someone else signed in, in another tab: nothing of the first person may stay on screen.
  if (known && known.userId !== profile.userId) return <StartOver />;
  if (profile.orgs.length === 0) {
    return (
      <Suspense fallback={<FrameLoading />}>
        <NoOrg profile={profile} />
      </Suspense>
    );
  }
  return (
    <WorkspaceProvider profile={profile}>
      <FrameOfOrg />
    </WorkspaceProvider>
  );
}

/** A new frame for each org, so that no menu, dialog or draft of the last one stays open. */
function FrameOfOrg() {
  const { org } = useWorkspace();
  return <Frame key={org.id} />;
}

/** Reads the address once, because it changes while the sign-in page is still loading. */
function ToSignIn({ wasSignedIn }: { wasSignedIn: boolean }) {
  const router = useRouter();
  const [search] = useState(() => {
    const { href } = router.state.location;
    return {
      ...(href !== '/' && { returnTo: href }),
      ...(wasSignedIn && { ended: true as const }),
    };
  });
  useEffect(() => {
    void router.navigate({ to: '/sign-in', search, replace: true });
  }, [router, search]);
  return <FrameLoading />;
}

function StartOver() {
  useEffect(() => location.reload(), []);
  return <FrameLoading />;
}
