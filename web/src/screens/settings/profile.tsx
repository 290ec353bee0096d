import { Download } from 'lucide-react';
import { useId, useState } from 'react';
import { setTheme, THEMES, useTheme } from '../../data/device/theme.ts';
import { useMembers } from '../../data/queries.ts';
import { useWorkspace } from '../../data/workspace.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Choice } from '../../ui/controls/choice.tsx';
import { useDownload } from '../../ui/controls/use-download.ts';
import { Card, PageHeader, RoleNote } from '../../ui/pages/page.tsx';
import { ErrorNote } from '../../ui/states/error-note.tsx';
import { RemoveDialog } from './members/remove-dialog.tsx';
import { AboutForm } from './profile/about-form.tsx';
import { DeleteAccount } from './profile/delete-account.tsx';
import { Devices } from './profile/devices.tsx';
import { EmailForm } from './profile/email-form.tsx';
import { HandleForm } from './profile/handle-form.tsx';
import { NameForm } from './profile/name-form.tsx';
import { NotificationChoices } from './profile/notification-choices.tsx';
import { PhotoForm } from './profile/photo-form.tsx';
import { PasswordForm } from './profile/password-form.tsx';

export function ProfileSettings() {
  return (
    <>
      <PageHeader title="Profile">
        Who you are here, what you are told, and how and where you sign in.
      </PageHeader>
      <NameForm />
      <PhotoForm />
      <AboutForm />
      <HandleForm />
      <EmailForm />
      <PasswordForm />
      <NotificationChoices />
      <Devices />
      <ThemeChoice />
      <OwnData />
      <LeaveOrg />
      <DeleteAccount />
    </>
  );
}

function ThemeChoice() {
  const theme = useTheme();
  return (
    <Card title="Appearance" description="For this browser only.">
      <Choice label="Theme" isLabelHidden options={THEMES} value={theme} onChange={setTheme} />
    </Card>
  );
}

function OwnData() {
  const { client, org } = useWorkspace();
  const download = useDownload('my-data.tar.gz', () => client.identity.export());
  return (
    <Card
      title="Your data"
      description={`What you wrote and own in ${org.name}, with your private memories, as one archive (.tar.gz) of JSON Lines.`}
    >
      {download.error && <ErrorNote error={download.error} />}
      <div>
        <Button isBusy={download.isPending} onClick={() => download.mutate()} icon={Download}>
          Download my data
        </Button>
      </div>
    </Card>
  );
}

function LeaveOrg() {
  const { profile, org } = useWorkspace();
  const { data: members } = useMembers();
  const [isLeaving, setLeaving] = useState(false);
  const id = useId();
  const owners = members?.filter(({ role }) => role === 'OWNER').length;
  const isLastOwner = org.role === 'OWNER' && owners === 1;
  return (
    <Card
      title={`Leave ${org.name}`}
      description="Your API keys here are revoked, and your private memories are erased after 30 days unless you come back."
    >
      {isLastOwner && (
        <div id={id}>
          <RoleNote>
            You are the last owner, so you can’t leave. Make someone else an owner under Members
            first.
          </RoleNote>
        </div>
      )}
      <div>
        <Button
          disabled={isLastOwner}
          aria-describedby={isLastOwner ? id : undefined}
          onClick={() => setLeaving(true)}
        >
          Leave organisation
        </Button>
      </div>
      {isLeaving && (
        <RemoveDialog
          member={{ userId: profile.userId, name: profile.name }}
          onClose={() => setLeaving(false)}
        />
      )}
    </Card>
  );
}
