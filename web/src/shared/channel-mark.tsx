import type { Session } from '@atrium/sdk';
import { Cable } from 'lucide-react';
import { useChannel } from '../data/queries.ts';
import { nameReaders } from './channel-names.ts';

/** Marks a session that is a chat channel too, and says who reads along there. */
export function ChannelMark({ session }: { session: Session }) {
  const channel = useChannel(session);
  if (!channel) return null;
  const text = nameReaders(channel);
  return (
    <Cable
      role="img"
      aria-label={text}
      data-tooltip={text}
      className="size-3.5 shrink-0 text-muted"
    />
  );
}
