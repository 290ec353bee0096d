import type { ChannelConnection, ChatChannel } from '@atrium/sdk';
import { Hash, Lock } from 'lucide-react';
import { useId, useState } from 'react';
import { useWorkspace } from '../../data/workspace.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { ErrorNote } from '../../ui/states/error-note.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { SkeletonList } from '../../ui/states/skeleton.tsx';
import { useSettled } from '../../ui/forms/use-settled.ts';
import { fieldErrors } from '../../ui/forms/field-errors.ts';
import { useChatChannels } from './queries.ts';

interface ChannelSearchProps {
  connection: ChannelConnection;
  /** Mapped in this project already. */
  mappedIds: ReadonlySet<string>;
  chosen: ChatChannel | undefined;
  error: string | undefined;
  onChoose: (channel: ChatChannel) => void;
}

/** Each pause of typing asks the chat system. */
const PAUSE_MS = 400;

/** Finds a channel of the chat system by its name. Those that can't be mapped say why. */
export function ChannelSearch(props: ChannelSearchProps) {
  const { connection, mappedIds, chosen, error, onChoose } = props;
  const name = useId();
  const { isAdmin } = useWorkspace();
  const [text, setText] = useState('');
  const query = useSettled(text.trim().replace(/^#/, ''), PAUSE_MS);
  const channels = useChatChannels(connection.id, query);
  // What the chat system, or the way there, has to say.
  const refusal = fieldErrors(channels.error)['request'];
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="sr-only">Channel</legend>
      <TextField
        label="Channel"
        hint={
          isAdmin
            ? `To see a private channel here, invite @${connection.botName} to it first.`
            : 'Only public channels are listed. Ask an owner or an admin to map a private one.'
        }
        error={refusal ?? error}
        autoFocus
        type="search"
        dir="auto"
        maxLength={100}
        autoComplete="off"
        placeholder="Search by name"
        value={text}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') event.preventDefault();
        }}
      />
      {channels.error && !refusal && (
        <ErrorNote error={channels.error} onRetry={() => void channels.refetch()} />
      )}
      {refusal && (
        <Button
          size="small"
          className="self-start"
          isBusy={channels.isFetching}
          onClick={() => void channels.refetch()}
        >
          Try again
        </Button>
      )}
      {!channels.data && !channels.error && <SkeletonList rows={2} label="Loading channels…" />}
      {channels.data?.length === 0 && (
        <p role="status" className="text-sm text-muted">
          No channel’s name contains “{query}”.
        </p>
      )}
      {channels.data && channels.data.length > 0 && (
        <ul className="max-h-56 divide-y divide-line overflow-y-auto rounded-md border border-edge bg-surface">
          {channels.data.map((channel) => {
            const obstacle = obstacleOf(channel, mappedIds, connection.botName);
            const Icon = channel.isPrivate ? Lock : Hash;
            return (
              <li key={channel.id}>
                <label className="flex min-h-10 cursor-pointer items-center gap-2 px-3 py-1.5 text-sm hover:bg-hover has-checked:bg-accent-soft has-disabled:cursor-not-allowed">
                  <input
                    type="radio"
                    name={name}
                    checked={channel.id === chosen?.id}
                    disabled={obstacle !== undefined}
                    onChange={() => onChoose(channel)}
                    className="size-4 shrink-0 accent-accent-strong"
                  />
                  <Icon
                    role="img"
                    aria-label={channel.isPrivate ? 'Private' : 'Public'}
                    className="size-3.5 shrink-0 text-muted"
                  />
                  <span className="flex min-w-0 flex-col">
                    <bdi className="text-left wrap-anywhere">{channel.name}</bdi>
                    {obstacle && <span className="text-note text-muted">{obstacle}</span>}
                  </span>
                </label>
              </li>
            );
          })}
        </ul>
      )}
    </fieldset>
  );
}

/** The server refuses these too. */
function obstacleOf(
  { id, isMember }: ChatChannel,
  mappedIds: ReadonlySet<string>,
  botName: string,
): string | undefined {
  if (mappedIds.has(id)) return 'Already mapped in this project.';
  return isMember ? undefined : `The bot isn’t in this channel. Invite @${botName} first.`;
}
