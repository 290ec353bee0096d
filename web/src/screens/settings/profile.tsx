import { PageHeader } from '../../ui/pages/page.tsx';
import { DeleteAccount } from './profile/delete-account.tsx';
import { Devices } from './profile/devices.tsx';
import { EmailForm } from './profile/email-form.tsx';
import { HandleForm } from './profile/handle-form.tsx';
import { LeaveOrg } from './profile/leave-org.tsx';
import { NameForm } from './profile/name-form.tsx';
import { NotificationChoices } from './profile/notification-choices.tsx';
import { OwnData } from './profile/own-data.tsx';
import { PasswordForm } from './profile/password-form.tsx';
import { ThemeChoice } from './profile/theme-choice.tsx';

export function ProfileSettings() {
  return (
    <>
      <PageHeader title="Profile">
        Who you are here, what you are told, and how and where you sign in.
      </PageHeader>
      <NameForm />
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
