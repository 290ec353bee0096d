import { keys } from '../../../data/query-keys.ts';
import { useChange } from '../../../data/use-change.ts';
import { inWords } from '../../../shared/time-choices.ts';
import { TimeDialog } from '../../../shared/time-dialog.tsx';
import { toast } from '../../../ui/layers/toast.tsx';
import { useSession } from '../session-context.ts';

interface SendLaterProps {
  body: string;
  fileIds: string[];
  parentMessageId: string | undefined;
  /** The server has it. */
  onScheduled: () => void;
  onClose: () => void;
}

/** Asks when to send what is in the composer. */
export function SendLater({
  body,
  fileIds,
  parentMessageId,
  onScheduled,
  onClose,
}: SendLaterProps) {
  const { slug, session } = useSession();
  const schedule = useChange({
    send: async ({ client }, at: Date) =>
      client.messages.post(slug, session.id, {
        body,
        ...(fileIds.length > 0 && { fileIds }),
        ...(parentMessageId !== undefined && { parentMessageId }),
        sendAt: at.toISOString(),
      }),
    refetch: keys.scheduled,
    onDone({ sendAt }) {
      toast(`Scheduled for ${inWords(new Date(sendAt ?? 0))}. You find it under Later.`);
      onScheduled();
      onClose();
    },
  });
  return (
    <TimeDialog
      title="Send later"
      description="Until then, only you see the message, and you can change or cancel it."
      action="Schedule message"
      saving={schedule}
      onChoose={(at) => schedule.mutate(at)}
      onClose={onClose}
    />
  );
}
