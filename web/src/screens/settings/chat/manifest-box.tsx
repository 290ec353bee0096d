import { CopyButton } from '../../../ui/controls/copy-button.tsx';
import { slackManifest, type Delivery } from './slack-manifest.ts';

export function ManifestBox({ delivery }: { delivery: Delivery }) {
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
