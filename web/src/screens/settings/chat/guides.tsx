import type { ChannelConnection } from '@atrium/sdk';
import { CopyButton } from '../../../ui/controls/copy-button.tsx';
import { requestUrlOf, SCOPES, slackManifest, type Delivery } from './slack-manifest.ts';

const STEPS = 'flex list-decimal flex-col gap-3 pl-5 text-sm';

/** How to set up the bot in Mattermost. */
export function MattermostGuide() {
  return (
    <ol className={STEPS}>
      <li>
        In the <em>System Console</em>, under <em>Integrations → Bot Accounts</em>, allow bot
        accounts.
      </li>
      <li>
        Back in the team, under <em>Integrations → Bot Accounts</em>, add a bot with the role{' '}
        <em>Member</em>, and copy its token.
      </li>
      <li>Add the bot to the team, and to each channel that you want to map.</li>
    </ol>
  );
}

/** How to set up the app in Slack, and where its tokens are. */
export function SlackGuide({ isSocket }: { isSocket: boolean }) {
  return (
    <ol className={STEPS}>
      <li>
        <div className="flex min-w-0 flex-col gap-2">
          <p>
            Open{' '}
            <a
              href="https://api.slack.com/apps"
              target="_blank"
              rel="noreferrer"
              className="text-accent underline"
            >
              api.slack.com/apps
            </a>
            , choose <em>Create New App</em>, then <em>From a manifest</em>, and paste this:
          </p>
          <ManifestBox delivery={isSocket ? 'socket' : { requestUrl: null }} />
          <Scopes />
        </div>
      </li>
      {isSocket ? (
        <li>
          Under <em>Basic Information</em>, create an app-level token with the scope{' '}
          <code>connections:write</code>. It is the app token.
        </li>
      ) : (
        <li>
          Under <em>Basic Information</em>, copy the <em>Signing Secret</em>.
        </li>
      )}
      <li>
        Choose <em>Install to Workspace</em>. The bot token is then under{' '}
        <em>OAuth &amp; Permissions</em>.
      </li>
      <li>
        Enter both below.
        {!isSocket &&
          ' Once the connection is added, this page shows how to tell Slack where to send events.'}
      </li>
      <li>
        In each channel that you want to map, write <code>/invite @Atrium</code>.
      </li>
    </ol>
  );
}

function Scopes() {
  return (
    <details className="text-sm">
      <summary className="min-h-6 text-accent underline">Which permissions, and why</summary>
      <dl className="mt-2 grid grid-cols-1 gap-x-4 gap-y-1 sm:grid-cols-[13rem_1fr] [&>dd]:mb-2 sm:[&>dd]:mb-0">
        {SCOPES.map(({ scopes, why }) => (
          <div key={why} className="contents">
            <dt className="text-note wrap-anywhere">
              {scopes.map((scope) => (
                <code key={scope} className="block">
                  {scope}
                </code>
              ))}
            </dt>
            <dd>{why}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

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

function ManifestBox({ delivery }: { delivery: Delivery }) {
  const manifest = slackManifest(delivery);
  return (
    <div className="flex min-w-0 flex-col items-start gap-2">
      <pre
        tabIndex={0}
        role="group"
        aria-label="App manifest"
        className="max-h-40 w-full overflow-auto rounded-md border border-line bg-ground p-3 text-note"
      >
        <code>{manifest}</code>
      </pre>
      <CopyButton text={manifest} label="Copy manifest" />
    </div>
  );
}
