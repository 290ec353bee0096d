import { AtriumError } from '@atrium/sdk';
import { useMutation } from '@tanstack/react-query';
import { MailCheck, ShieldCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { webApi } from '../../data/web-api.ts';
import { useWorkspace } from '../../data/workspace.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { ErrorNote } from '../../ui/states/error-note.tsx';
import { SaveError, type Saving } from '../../ui/forms/form.tsx';

/** Whether the server asks the person to confirm who they are first. */
export function needsFreshSignIn(error: unknown): boolean {
  return error instanceof AtriumError && error.reason === 'fresh_sign_in';
}

/** The question who it is takes the place of the error. */
export function withoutSignIn({ isPending, error }: Saving): Saving {
  return { isPending, error: needsFreshSignIn(error) ? undefined : error };
}

/** Says why a change of the account was refused, unless that is said next to a field. */
export function AccountError({ saving, problems }: { saving: Saving; problems: object }) {
  return needsFreshSignIn(saving.error) ? (
    <FreshSignIn />
  ) : (
    <SaveError saving={saving} problems={problems} />
  );
}

/** Offers a sign-in link that leads back here. */
export function FreshSignIn() {
  const { profile } = useWorkspace();
  return (
    <AskForSignIn
      returnTo="/settings/profile"
      then="Open it in this browser and sign in to come back here."
    >
      {profile.hasPassword
        ? 'Enter your current password above, or sign in again with an email link.'
        : 'Sign in again with an email link, then make this change within 10 minutes.'}
    </AskForSignIn>
  );
}

interface AskForSignInProps {
  returnTo: string;
  /** What to do once the link was sent. */
  then: string;
  children: ReactNode;
  /** Another way to confirm, beside the link. */
  instead?: { field: ReactNode; action: ReactNode } | undefined;
}

export function AskForSignIn({ returnTo, then, children, instead }: AskForSignInProps) {
  const { profile } = useWorkspace();
  const send = useMutation({ mutationFn: () => webApi.sendSignInLink(profile.email, returnTo) });
  if (send.isSuccess) {
    return (
      <p
        role="status"
        className="flex items-start gap-2 rounded-md bg-good-soft px-3 py-2 text-sm text-good"
      >
        <MailCheck aria-hidden className="mt-0.5 size-4 shrink-0" />
        <span className="min-w-0 wrap-anywhere">
          We sent a link to {profile.email}. {then}
        </span>
      </p>
    );
  }
  return (
    <div role="alert" className="flex flex-col gap-3 rounded-md bg-warn-soft p-3 text-sm">
      <p className="flex items-start gap-2">
        <ShieldCheck aria-hidden className="mt-0.5 size-4 shrink-0" />
        <span className="min-w-0 wrap-anywhere">Confirm that it’s you first. {children}</span>
      </p>
      {instead?.field}
      {send.error && <ErrorNote error={send.error} />}
      <div className="flex flex-wrap gap-2">
        {instead?.action}
        <Button size="small" isBusy={send.isPending} onClick={() => send.mutate()}>
          Email me a link
        </Button>
      </div>
    </div>
  );
}
