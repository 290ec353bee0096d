import { PageHeader } from '../../ui/page.tsx';
import { DeleteAccount } from './profile/delete-account.tsx';
import { Devices } from './profile/devices.tsx';
import { EmailForm } from './profile/email-form.tsx';
import { LeaveOrg } from './profile/leave-org.tsx';
import { NameForm } from './profile/name-form.tsx';
import { OwnData } from './profile/own-data.tsx';
import { PasswordForm } from './profile/password-form.tsx';
import { ThemeChoice } from './profile/theme-choice.tsx';

export function ProfileSettings() {
  return (
    <>
      <PageHeader title="Profile">Your name, and how and where you sign in.</PageHeader>
      <NameForm />
      <EmailForm />
      <PasswordForm />
      <Devices />
      <ThemeChoice />
      <OwnData />
      <LeaveOrg />
      <DeleteAccount />
    </>
  );
}
