import type { ChannelMapping } from '@atrium/sdk';
import { Cable, Pause, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { Dialog, DialogActions } from '../../../ui/layers/dialog.tsx';
import { LinkButton } from '../../../ui/controls/link-button.tsx';
import { nameChannel, nameReaders } from '../../../shared/channel-names.ts';
import { explainMapping, STATUSES } from '../../channels/mapping-words.ts';
import { useSession } from '../session-context.ts';

const ICONS = { ACTIVE: Cable, PAUSED: Pause, BROKEN: TriangleAlert };

/** Says in a session's header who reads along outside, and explains it on demand. */
export function ChannelNote({ channel }: { channel: ChannelMapping }) {
  const { slug } = useSession();
  const [isOpen, setOpen] = useState(false);
  const readers = nameReaders(channel);
  const Icon = ICONS[channel.status];
  return (
    <>
      <button
        type="button"
        aria-label={readers}
        data-tooltip={readers}
        onClick={() => setOpen(true)}
        className="inline-flex min-h-8 max-w-28 shrink-0 items-center gap-1.5 rounded-full bg-warn-soft px-2.5 text-note sm:max-w-56 font-medium text-warn hover:underline"
      >
        <Icon aria-hidden className="size-3.5 shrink-0" />
        <span dir="auto" className="truncate">
          #{channel.channelName}
        </span>
        {channel.status !== 'ACTIVE' && (
          <span className="hidden shrink-0 sm:inline">
            ({STATUSES[channel.status].name.toLowerCase()})
          </span>
        )}
      </button>
      {isOpen && (
        <Dialog title={nameChannel(channel)} onClose={() => setOpen(false)}>
          <ul className="flex list-disc flex-col gap-2 pl-5 text-sm">
            {explainMapping(channel).map((sentence) => (
              <li key={sentence} className="wrap-anywhere">
                {sentence}
              </li>
            ))}
          </ul>
          <DialogActions>
            <LinkButton to="/p/$slug/channels" params={{ slug }}>
              Go to channels
            </LinkButton>
          </DialogActions>
        </Dialog>
      )}
    </>
  );
}
