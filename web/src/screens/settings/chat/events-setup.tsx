import type { ChannelConnection } from '@atrium/sdk';
import { CopyButton } from '../../../ui/controls/copy-button.tsx';
import { ManifestBox } from './manifest-box.tsx';
import { requestUrlOf } from './slack-manifest.ts';

/** What is left to do in Slack. Open until the first event proves that it is done. */
export function EventsSetup({
  connection: { id, lastEventAt },
}: {
  connection: ChannelConnection;
}) {
  const requestUrl = requestUrlOf(id);
  return (
    <details open={lastEventAt === null} className="rounded-md bg-hover p-3 text-sm">
      <summary className="font-medium">Where Slack sends events</summary>
      <div className="mt-2 flex min-w-0 flex-col gap-3">
        <p>
          In Slack, open the app’s settings and replace its <em>App Manifest</em> with this one.
          Slack then calls the address in it to check that it works.
        </p>
        <ManifestBox delivery={{ requestUrl }} />
        <div className="flex flex-wrap items-center gap-2">
          <code className="rounded-md bg-ground px-2 py-1 text-note wrap-anywhere">
            {requestUrl}
          </code>
          <CopyButton text={requestUrl} label="Copy address" />
        </div>
      </div>
    </details>
  );
}
