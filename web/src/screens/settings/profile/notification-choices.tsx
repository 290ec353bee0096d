import type { Me } from '@atrium/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { keys } from '../../../data/query-keys.ts';
import { useMe } from '../../../data/queries.ts';
import { useWorkspace } from '../../../data/workspace.tsx';
import { Choice } from '../../../ui/controls/choice.tsx';
import { ErrorNote } from '../../../ui/states/error-note.tsx';
import { CheckboxField } from '../../../ui/forms/field.tsx';
import { Loading } from '../../../ui/states/loading.tsx';
import { Card } from '../../../ui/pages/page.tsx';
import { toast } from '../../../ui/layers/toast.tsx';
import {
  turnBrowserOff,
  turnBrowserOn,
  useBrowserState,
  type BrowserState,
} from '../../../data/device/browser-notifications.ts';

/** How the person is told what is in their inbox. */
export function NotificationChoices() {
  const me = useMe();
  return (
    <Card
      title="Notifications"
      description="How you learn what is in your inbox while you’re away."
    >
      <Loading of={me} rows={1} label="Loading your choices…" />
      {me.data && <EmailChoice me={me.data} />}
      <BrowserChoice />
    </Card>
  );
}

function EmailChoice({ me }: { me: Me }) {
  const { client, org } = useWorkspace();
  const queryClient = useQueryClient();
  const save = useMutation({
    mutationFn: async (emailNotifications: Me['emailNotifications']) =>
      client.identity.update({ emailNotifications }),
    onSuccess(saved) {
      queryClient.setQueryData(keys.me(org.id), saved);
      toast('Email choice saved');
    },
  });
  return (
    <div className="flex flex-col gap-2">
      <Choice
        label="Email me about"
        options={{ MENTIONS: 'Mentions', ALL: 'Everything', NONE: 'Nothing' }}
        value={save.isPending ? save.variables : me.emailNotifications}
        onChange={(choice) => save.mutate(choice)}
      />
      <p className="text-note text-muted">
        Only what you haven’t read after 15 minutes, and at most one email an hour.
      </p>
      {save.error && <ErrorNote error={save.error} />}
    </div>
  );
}

const ABOUT: Partial<Record<BrowserState, string>> = {
  blocked: 'This browser blocks notifications from Atrium. Allow them in its site settings.',
  unsupported: 'This browser can’t show notifications from Atrium.',
};

function BrowserChoice() {
  const state = useBrowserState();
  return (
    <CheckboxField
      label="Show notifications of this browser while Atrium is in the background"
      hint={ABOUT[state] ?? 'For this browser only.'}
      checked={state === 'on'}
      disabled={state in ABOUT}
      onChange={({ target }) => (target.checked ? void turnBrowserOn() : turnBrowserOff())}
    />
  );
}
