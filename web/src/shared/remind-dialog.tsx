import type { CreateReminder } from '@atrium/sdk';
import { keys } from '../data/query-keys.ts';
import { useChange } from '../data/use-change.ts';
import { toastWithUndo } from '../ui/layers/toast.tsx';
import { inWords } from './time-choices.ts';
import { TimeDialog } from './time-dialog.tsx';
import { useWorkspace } from '../data/workspace.tsx';

interface RemindDialogProps {
  about: Pick<CreateReminder, 'messageId' | 'taskId' | 'text'>;
  /** The reminder is set. */
  onDone?: () => void;
  onClose: () => void;
}

/** Asks when to be reminded of a message, a task or one's own words. */
export function RemindDialog({ about, onDone, onClose }: RemindDialogProps) {
  const { client } = useWorkspace();
  const create = useChange({
    send: async (from, at: Date) =>
      from.client.reminders.create({ ...about, at: at.toISOString() }),
    refetch: keys.reminders,
    onDone({ id, at }) {
      toastWithUndo(`Reminder set for ${inWords(new Date(at))}`, async () =>
        client.reminders.cancel(id),
      );
      onDone?.();
      onClose();
    },
  });
  return (
    <TimeDialog
      title="Remind me"
      description="You find it in your inbox then. Nobody else is told."
      action="Set reminder"
      saving={create}
      onChoose={(at) => create.mutate(at)}
      onClose={onClose}
    />
  );
}
