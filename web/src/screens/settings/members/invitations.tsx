import type { Invitation } from '@atrium/sdk';
import { Link as LinkIcon, Mail, RotateCw } from 'lucide-react';
import { useState } from 'react';
import { keys } from '../../../data/query-keys.ts';
import { usePeople, useServerInfo } from '../../../data/queries.ts';
import { useChange } from '../../../data/use-change.ts';
import { useItems } from '../../../data/use-fetched.ts';
import { useWorkspace } from '../../../data/workspace.tsx';
import { Badge } from '../../../ui/marks/badge.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { copyText } from '../../../ui/controls/copy-text.ts';
import { ConfirmDialog } from '../../../ui/layers/dialog.tsx';
import { EmptyState } from '../../../ui/states/empty-state.tsx';
import { Loading } from '../../../ui/states/loading.tsx';
import { Card } from '../../../ui/pages/page.tsx';
import { Ago } from '../../../ui/marks/time.tsx';
import { toast, toastError } from '../../../ui/layers/toast.tsx';
import { InviteForm } from './invite-form.tsx';
import { ROLE_NAMES } from '../../../shared/roles.ts';

/** People who were invited and haven't joined yet. For OWNERs and ADMINs. */
export function Invitations() {
  const invitations = useItems(keys.invitations, ({ client, org }, options) =>
    client.org.listInvitations(org.id, options),
  );
  const { data } = invitations;
  return (
    <Card
      title="Invitations"
      description="An invitation is an email with a link. The link works once, for seven days, and only for that address."
    >
      <MailNote />
      <InviteForm />
      <Loading of={invitations} rows={2} label="Loading invitations…" />
      {data?.length === 0 && (
        <EmptyState icon={Mail} title="No pending invitations">
          Enter an address above to invite someone.
        </EmptyState>
      )}
      {data && data.length > 0 && (
        <ul aria-label="Pending invitations" className="flex flex-col divide-y divide-line">
          {data.map((invitation) => (
            <InvitationRow key={invitation.id} invitation={invitation} />
          ))}
        </ul>
      )}
    </Card>
  );
}

/** Without it, people would wait for an email that nobody sends. */
function MailNote() {
  const { data } = useServerInfo();
  if (data?.sendsMail !== false) return null;
  return (
    <p role="note" className="rounded-md bg-warn-soft p-3 text-sm text-warn">
      This server sends no email, because <code>SMTP_URL</code> is not set. Copy an invitation’s
      link and pass it on yourself. Someone who has no account here yet also needs the invitation or
      sign-in link that the server writes to its <code>mail</code> folder: whoever runs the server
      finds it there.
    </p>
  );
}

function InvitationRow({ invitation }: { invitation: Invitation }) {
  const { id, email, role, expiresAt, createdAt, invitedById } = invitation;
  const { client, org } = useWorkspace();
  const people = usePeople();
  const resend = useChange({
    send: () => client.org.resendInvitation(org.id, id),
    refetch: keys.invitations,
    onDone: () => toast(`Invitation resent to ${email}. The old link no longer works.`),
    onError: toastError,
  });
  const revoke = useChange({
    send: () => client.org.revokeInvitation(org.id, id),
    refetch: keys.invitations,
    onDone: () => toast(`Invitation for ${email} revoked`),
  });
  const [isRevoking, setRevoking] = useState(false);
  async function copyLink() {
    const { url } = await client.org.invitationLink(org.id, id);
    await copyText(url, `Link copied. Only ${email} can join with it.`);
  }
  return (
    <li className="flex flex-col gap-2 py-3 first:pt-0 last:pb-0 sm:flex-row sm:items-center sm:justify-between">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-2">
          <span className="min-w-0 font-medium wrap-anywhere">{email}</span>
          <Badge>{ROLE_NAMES[role]}</Badge>
        </p>
        <p dir="auto" className="text-note text-muted wrap-anywhere">
          Invited by {people(invitedById).name} <Ago at={createdAt} /> · expires{' '}
          <Ago at={expiresAt} />
        </p>
      </div>
      <div className="flex shrink-0 flex-wrap gap-2">
        <Button
          size="small"
          aria-label={`Copy the link of the invitation to ${email}`}
          onClick={() => void copyLink().catch(toastError)}
          icon={LinkIcon}
        >
          Copy link
        </Button>
        <Button
          size="small"
          aria-label={`Resend the invitation to ${email}`}
          isBusy={resend.isPending}
          onClick={() => resend.mutate()}
          icon={RotateCw}
        >
          Resend
        </Button>
        <Button
          size="small"
          aria-label={`Revoke the invitation for ${email}`}
          onClick={() => setRevoking(true)}
        >
          Revoke
        </Button>
      </div>
      {isRevoking && (
        <ConfirmDialog
          title={`Revoke the invitation for ${email}?`}
          description="The link in the email stops working. You can invite this address again later."
          action="Revoke invitation"
          onConfirm={() => revoke.mutateAsync()}
          onClose={() => setRevoking(false)}
        />
      )}
    </li>
  );
}
