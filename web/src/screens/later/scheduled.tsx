import type { ScheduledMessage } from '@atrium/sdk';
import { Link } from '@tanstack/react-router';
import { CalendarClock, Clock, Pencil, X } from 'lucide-react';
import { useState } from 'react';
import { usePlaceName } from '../../data/direct.ts';
import { plainlySaidIn } from '../../shared/plain-words.ts';
import { keys } from '../../data/query-keys.ts';
import { useChange } from '../../data/use-change.ts';
import { useItems } from '../../data/use-fetched.ts';
import { inWords } from '../../shared/time-choices.ts';
import { TimeDialog } from '../../shared/time-dialog.tsx';
import { IconButton } from '../../ui/controls/button.tsx';
import { TextAreaField } from '../../ui/forms/field.tsx';
import { fieldErrors, FormDialog } from '../../ui/forms/form.tsx';
import { ConfirmDialog } from '../../ui/layers/dialog.tsx';
import { toast } from '../../ui/layers/toast.tsx';
import { EmptyState } from '../../ui/states/empty-state.tsx';
import { Loading } from '../../ui/states/loading.tsx';
import { KeptList, KeptRow, ROW_TEXT } from './kept-list.tsx';

export function Scheduled() {
  const scheduled = useItems(keys.scheduled, ({ client }, options) =>
    client.messages.listScheduled({ limit: 100 }, options),
  );
  const { data } = scheduled;
  return (
    <>
      <Loading of={scheduled} label="Loading scheduled messages…" />
      {data?.length === 0 && (
        <EmptyState icon={CalendarClock} title="Nothing scheduled">
          Write a message and choose “Send later” beside Send. Until it is sent, you can change or
          cancel it here.
        </EmptyState>
      )}
      {data && data.length > 0 && (
        <KeptList label="Scheduled messages">
          {data.map((message) => (
            <ScheduledRow key={message.id} message={message} />
          ))}
        </KeptList>
      )}
    </>
  );
}

type Open = 'time' | 'text' | 'cancel';

function ScheduledRow({ message }: { message: ScheduledMessage }) {
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  const placeName = usePlaceName();
  const { session, project, sendAt, failure } = message;
  return (
    <KeptRow
      above={
        session && project ? (
          <Link
            to="/p/$slug/s/$sessionId"
            params={{ slug: project.slug, sessionId: session.id }}
            className="hover:underline"
          >
            {placeName({ session, project })}
          </Link>
        ) : (
          'A session that you can no longer read'
        )
      }
      below={
        failure === null ? (
          inWords(new Date(sendAt))
        ) : (
          <span className="text-danger">
            Not sent on {inWords(new Date(sendAt))}. {failure}
          </span>
        )
      }
      actions={
        <>
          <IconButton label="Edit text" icon={Pencil} onClick={() => setOpen('text')} />
          <IconButton label="Change time" icon={Clock} onClick={() => setOpen('time')} />
          <IconButton label="Cancel message" icon={X} onClick={() => setOpen('cancel')} />
        </>
      }
    >
      <p dir="auto" className={ROW_TEXT}>
        {plainlySaidIn(message)}
      </p>
      {message.body !== '' && message.attachments.length > 0 && (
        <p className="truncate text-note text-muted">
          With {message.attachments.map(({ name }) => name).join(', ')}
        </p>
      )}
      {open === 'time' && <ChangeTime message={message} onClose={close} />}
      {open === 'text' && <ChangeText message={message} onClose={close} />}
      {open === 'cancel' && <Cancel message={message} onClose={close} />}
    </KeptRow>
  );
}

interface ChangeProps {
  message: ScheduledMessage;
  onClose: () => void;
}

function ChangeTime({ message, onClose }: ChangeProps) {
  const change = useChange({
    send: async ({ client }, at: Date) =>
      client.messages.updateScheduled(message.id, { sendAt: at.toISOString() }),
    refetch: keys.scheduled,
    onDone: onClose,
  });
  const isFailed = message.status === 'FAILED';
  return (
    <TimeDialog
      title="Send later"
      action="Change time"
      saving={change}
      {...(!isFailed && { at: new Date(message.sendAt) })}
      onChoose={(at) => change.mutate(at)}
      onClose={onClose}
    />
  );
}

function ChangeText({ message, onClose }: ChangeProps) {
  const [body, setBody] = useState(message.body);
  const change = useChange({
    send: async ({ client }) => client.messages.updateScheduled(message.id, { body }),
    refetch: keys.scheduled,
    onDone: onClose,
  });
  const problems = fieldErrors(change.error);
  return (
    <FormDialog
      title="Edit message"
      action="Save message"
      saving={change}
      problems={problems}
      isDisabled={body.trim() === '' && message.attachments.length === 0}
      onSubmit={() => change.mutate()}
      onClose={onClose}
    >
      <TextAreaField
        label="Message"
        autoFocus
        rows={6}
        dir="auto"
        value={body}
        error={problems['body']}
        onChange={(event) => setBody(event.target.value)}
      />
    </FormDialog>
  );
}

function Cancel({ message, onClose }: ChangeProps) {
  const cancel = useChange({
    send: async ({ client }) => client.messages.cancelScheduled(message.id),
    refetch: keys.scheduled,
    onDone: () => toast('Message cancelled'),
  });
  return (
    <ConfirmDialog
      title="Cancel this message?"
      description="It is not sent, and its text is gone."
      action="Cancel message"
      onConfirm={() => cancel.mutateAsync()}
      onClose={onClose}
    />
  );
}
