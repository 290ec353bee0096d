import { ManifestBox } from './manifest-box.tsx';
import { SCOPES } from './slack-manifest.ts';
import { STEPS } from './steps.ts';

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
