import type { Reminder } from '@atrium/sdk';
import { Link } from '@tanstack/react-router';
import { AlarmClock, AlarmClockPlus, CalendarClock, X } from 'lucide-react';
import { useState } from 'react';
import { usePlaceName } from '../../data/direct.ts';
import { plainly } from '../../shared/plain-words.ts';
import { keys } from '../../data/query-keys.ts';
import { useChange } from '../../data/use-change.ts';
import { useItems } from '../../data/use-fetched.ts';
import { inWords } from '../../shared/time-choices.ts';
import { TimeDialog } from '../../shared/time-dialog.tsx';
import { Button, IconButton } from '../../ui/controls/button.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { toast, toastError } from '../../ui/layers/toast.tsx';
import { EmptyState } from '../../ui/states/empty-state.tsx';
import { Loading } from '../../ui/states/loading.tsx';
import { KeptList, KeptRow, ROW_LINK, ROW_TEXT } from './kept-list.tsx';

export function Reminders() {
  const reminders = useItems(keys.reminders, ({ client }, options) =>
    client.reminders.list({ limit: 100 }, options),
  );
  const [isAdding, setAdding] = useState(false);
  const { data } = reminders;
  const add = (
    <Button icon={AlarmClockPlus} className="self-start" onClick={() => setAdding(true)}>
      New reminder
    </Button>
  );
  return (
    <>
      <Loading of={reminders} label="Loading reminders…" />
      {data?.length === 0 && (
        <EmptyState icon={AlarmClock} title="No reminders" action={add}>
          Choose “Remind me” in a message’s menu, or write down what to be reminded of.
        </EmptyState>
      )}
      {data && data.length > 0 && (
        <>
          {add}
          <KeptList label="Reminders">
            {data.map((reminder) => (
              <ReminderRow key={reminder.id} reminder={reminder} />
            ))}
          </KeptList>
        </>
      )}
      {isAdding && <NewReminder onClose={() => setAdding(false)} />}
    </>
  );
}

function ReminderRow({ reminder }: { reminder: Reminder }) {
  const [isMoving, setMoving] = useState(false);
  const { id } = reminder;
  const at = new Date(reminder.at);
  const move = useChange({
    send: async ({ client }, to: Date) => client.reminders.update(id, { at: to.toISOString() }),
    refetch: keys.reminders,
    onDone: () => setMoving(false),
  });
  const cancel = useChange({
    send: async ({ client }) => client.reminders.cancel(id),
    refetch: keys.reminders,
    onDone: () => toast('Reminder cancelled'),
    onError: toastError,
  });
  const { session, project } = reminder;
  const placeName = usePlaceName();
  const place = session && project ? placeName({ session, project }) : project?.name;
  return (
    <KeptRow
      above={inWords(at)}
      below={place}
      actions={
        <>
          <IconButton label="Change time" icon={CalendarClock} onClick={() => setMoving(true)} />
          <IconButton
            label="Cancel reminder"
            icon={X}
            disabled={cancel.isPending}
            onClick={() => cancel.mutate()}
          />
        </>
      }
    >
      <About reminder={reminder} />
      {isMoving && (
        <TimeDialog
          title="Change time"
          action="Change time"
          saving={move}
          at={at}
          onChoose={(to) => move.mutate(to)}
          onClose={() => setMoving(false)}
        />
      )}
    </KeptRow>
  );
}

function About({
  reminder: { text, excerpt, messageId, taskNumber, session, project },
}: {
  reminder: Reminder;
}) {
  if (project && taskNumber !== null) {
    const params = { slug: project.slug, number: String(taskNumber) };
    return (
      <Link to="/p/$slug/t/$number" params={params} dir="auto" className={ROW_LINK}>
        #{taskNumber} {excerpt}
      </Link>
    );
  }
  if (project && session && messageId !== null) {
    const params = { slug: project.slug, sessionId: session.id };
    return (
      <Link
        to="/p/$slug/s/$sessionId"
        params={params}
        search={{ m: messageId }}
        dir="auto"
        className={ROW_LINK}
      >
        {plainly(excerpt ?? '')}
      </Link>
    );
  }
  return (
    <p dir="auto" className={ROW_TEXT}>
      {text ?? 'Something that you can no longer read'}
    </p>
  );
}

function NewReminder({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('');
  const create = useChange({
    send: async ({ client }, at: Date) =>
      client.reminders.create({ text: text.trim(), at: at.toISOString() }),
    refetch: keys.reminders,
    onDone({ at }) {
      toast(`Reminder set for ${inWords(new Date(at))}`);
      onClose();
    },
  });
  return (
    <TimeDialog
      title="New reminder"
      description="You find it in your inbox then."
      action="Set reminder"
      saving={create}
      isDisabled={text.trim() === ''}
      onChoose={(at) => create.mutate(at)}
      onClose={onClose}
    >
      <TextField
        label="What to remind you of"
        required
        autoFocus
        maxLength={500}
        dir="auto"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
    </TimeDialog>
  );
}
