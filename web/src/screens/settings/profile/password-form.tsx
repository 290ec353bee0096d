import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { keys } from '../../../data/query-keys.ts';
import { webApi } from '../../../data/web-api.ts';
import { PROFILE_KEY, useWorkspace } from '../../../data/workspace.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { cx } from '../../../ui/text/cx.ts';
import { CheckboxField, TextField } from '../../../ui/forms/field.tsx';
import { fieldErrors, Form } from '../../../ui/forms/form.tsx';
import { Card } from '../../../ui/pages/page.tsx';
import { toast } from '../../../ui/layers/toast.tsx';
import { AccountError } from '../fresh-sign-in.tsx';
import { OwnPasswordField } from './own-password-field.tsx';
import { MAX_LENGTH, MIN_LENGTH, strengthOf } from './strength.ts';

const TONE = { danger: 'text-danger', warn: 'text-warn', good: 'text-good' };

export function PasswordForm() {
  const { org, profile } = useWorkspace();
  const queryClient = useQueryClient();
  const [password, setPassword] = useState('');
  const [current, setCurrent] = useState('');
  const [isShown, setShown] = useState(false);
  const [isChecked, setChecked] = useState(false);
  // A first password is no sign that anything was stolen.
  const [revokeKeys, setRevokeKeys] = useState(profile.hasPassword);
  const field = useRef<HTMLInputElement>(null);
  const save = useMutation({
    mutationFn: () =>
      webApi.setPassword({
        password,
        revokeKeys,
        ...(current !== '' && { currentPassword: current }),
      }),
    gcTime: 0,
    async onSuccess({ revokedKeys }) {
      const result = profile.hasPassword ? 'Password changed' : 'Password set';
      toast(revokeKeys ? `${result}. ${revokedInWords(revokedKeys)}` : result);
      setPassword('');
      setCurrent('');
      setChecked(false);
      setRevokeKeys(true);
      await queryClient.invalidateQueries({ queryKey: PROFILE_KEY });
      await queryClient.invalidateQueries({ queryKey: keys.devices });
      if (revokedKeys > 0) await queryClient.invalidateQueries({ queryKey: keys.myKeys(org.id) });
    },
  });
  const strength = strengthOf(password, [profile.name, profile.email.split('@')[0] ?? '']);
  const refused = fieldErrors(save.error);

  function submit() {
    setChecked(true);
    if (strength.tone === 'danger') field.current?.focus();
    else save.mutate();
  }

  return (
    <Card
      title="Password"
      description={
        profile.hasPassword
          ? 'You can sign in with your password or with an email link.'
          : 'No password set. You sign in with an email link; set a password to sign in without one.'
      }
    >
      <Form noValidate className="flex max-w-md flex-col gap-3" onSubmit={submit}>
        {/* Password managers store the password under this name. */}
        <input hidden readOnly autoComplete="username" value={profile.email} />
        <OwnPasswordField
          label="Current password"
          type={isShown ? 'text' : 'password'}
          error={refused['currentPassword']}
          value={current}
          onChange={({ target }) => setCurrent(target.value)}
        />
        <TextField
          ref={field}
          label={profile.hasPassword ? 'New password' : 'Password'}
          hint={`${MIN_LENGTH} to ${MAX_LENGTH} characters. A few random words are strong and easy to remember.`}
          type={isShown ? 'text' : 'password'}
          autoComplete="new-password"
          error={
            refused['password'] ??
            (isChecked && strength.tone === 'danger' ? strength.words : undefined)
          }
          value={password}
          onChange={({ target }) => setPassword(target.value)}
        />
        <p aria-live="polite" className={cx('min-h-5 text-note', TONE[strength.tone])}>
          {password !== '' && !(isChecked && strength.tone === 'danger') && strength.words}
        </p>
        <CheckboxField
          label="Show password"
          checked={isShown}
          onChange={({ target }) => setShown(target.checked)}
        />
        <CheckboxField
          label="Also revoke my API keys"
          hint="In every organisation. Programs that use them stop working. Organisation keys stay."
          checked={revokeKeys}
          onChange={({ target }) => setRevokeKeys(target.checked)}
        />
        <p className="text-note text-muted">
          Your other devices will be signed out. This one stays signed in.
        </p>
        <AccountError saving={save} problems={refused} />
        <div>
          <Button type="submit" isBusy={save.isPending}>
            {profile.hasPassword ? 'Change password' : 'Set password'}
          </Button>
        </div>
      </Form>
    </Card>
  );
}

function revokedInWords(count: number): string {
  if (count === 0) return 'There were no API keys to revoke';
  return count === 1 ? '1 API key revoked' : `${count} API keys revoked`;
}
