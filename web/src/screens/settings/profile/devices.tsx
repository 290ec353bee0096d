import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { MonitorSmartphone } from 'lucide-react';
import { useState } from 'react';
import { keys } from '../../../data/query-keys.ts';
import { webApi, type Device } from '../../../data/web-api.ts';
import { Badge } from '../../../ui/marks/badge.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { ConfirmDialog } from '../../../ui/layers/dialog.tsx';
import { Loading } from '../../../ui/states/loading.tsx';
import { Card } from '../../../ui/pages/page.tsx';
import { Ago, Day } from '../../../ui/marks/time.tsx';
import { toast, toastError } from '../../../ui/layers/toast.tsx';
import { signOut as signOutHere } from '../../../shared/sign-out.ts';

/** The browsers in which the person is signed in. */
export function Devices() {
  const devices = useQuery({
    queryKey: keys.devices,
    queryFn: async () => (await webApi.devices()).items,
  });
  const [isEndingAll, setEndingAll] = useState(false);
  const signOut = useSignOutDevices();
  const others = devices.data?.filter(({ current }) => !current) ?? [];
  return (
    <Card
      title="Signed-in devices"
      description="Sign out any device you don’t recognise, then change your password."
      actions={
        others.length > 0 && (
          <Button onClick={() => setEndingAll(true)}>Sign out other devices</Button>
        )
      }
    >
      <Loading of={devices} rows={2} label="Loading devices…" />
      <ul className="flex flex-col divide-y divide-line">
        {devices.data?.map((device) => (
          <DeviceRow key={device.id} device={device} />
        ))}
      </ul>
      {isEndingAll && (
        <ConfirmDialog
          title="Sign out all other devices?"
          description={`${others.length === 1 ? 'One device' : `${others.length} devices`} will have to sign in again. This one stays signed in.`}
          action="Sign out other devices"
          onConfirm={async () => {
            await signOut.mutateAsync(others);
            toast('Other devices signed out');
          }}
          onClose={() => setEndingAll(false)}
        />
      )}
    </Card>
  );
}

function DeviceRow({ device }: { device: Device }) {
  const signOut = useSignOutDevices();
  const { device: name, lastSeenAt, createdAt, current, userAgent } = device;
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 py-3 first:pt-0 last:pb-0">
      <div className="flex min-w-0 items-center gap-3">
        <MonitorSmartphone aria-hidden className="size-5 shrink-0 text-muted" />
        <div className="min-w-0">
          <p className="flex flex-wrap items-center gap-2" title={userAgent ?? undefined}>
            <span className="font-medium wrap-anywhere">{name}</span>
            {current && <Badge tone="good">This device</Badge>}
          </p>
          <p className="text-note text-muted">
            Last seen <Ago at={lastSeenAt} /> · signed in <Day at={createdAt} />
          </p>
        </div>
      </div>
      {current ? (
        <Button size="small" onClick={signOutHere}>
          Sign out here
        </Button>
      ) : (
        <Button
          size="small"
          aria-label={`Sign out ${name}`}
          isBusy={signOut.isPending}
          onClick={() =>
            signOut.mutate([device], {
              onSuccess: () => toast(`${name} signed out`),
              onError: toastError,
            })
          }
        >
          Sign out
        </Button>
      )}
    </li>
  );
}

function useSignOutDevices() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (devices: Device[]) =>
      Promise.all(devices.map(({ id }) => webApi.signOutDevice(id))),
    onSettled: () => queryClient.invalidateQueries({ queryKey: keys.devices }),
  });
}
