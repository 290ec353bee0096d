import type { UpdateMe } from '@atrium/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { refetchMember } from '../data/people.ts';
import { usePeople } from '../data/queries.ts';
import { keys } from '../data/query-keys.ts';
import { useWorkspace } from '../data/workspace.tsx';
import { Button } from '../ui/controls/button.tsx';
import { TextField } from '../ui/forms/field.tsx';
import { optionsOf } from '../ui/pickers/picker-option.ts';
import { DayField } from '../ui/forms/day-field.tsx';
import { SelectField } from '../ui/forms/select-field.tsx';
import { fieldErrors, FormDialog } from '../ui/forms/form.tsx';
import { toast } from '../ui/layers/toast.tsx';
import { dayFromNow } from '../screens/tasks/task-words.ts';
import { ENDS, endOf, type End } from './status-ends.ts';

const PRESETS: readonly { emoji: string; text: string; end: End; about: string }[] = [
  { emoji: '🗓️', text: 'In a meeting', end: '1h', about: '1 hour' },
  { emoji: '🚌', text: 'Commuting', end: '30m', about: '30 minutes' },
  { emoji: '🤒', text: 'Sick', end: 'today', about: 'Today' },
  { emoji: '🌴', text: 'On leave', end: 'date', about: 'Until a date' },
];
const EMOJI = ['💬', '🗓️', '🚌', '🤒', '🌴', '🎧', '🏠', '☕', '🎯', '🚀'];
const EMOJI_NAMES: Record<string, string> = {
  '💬': 'Speech bubble',
  '🗓️': 'Calendar',
  '🚌': 'Bus',
  '🤒': 'Face with thermometer',
  '🌴': 'Palm tree',
  '🎧': 'Headphones',
  '🏠': 'House',
  '☕': 'Cup',
  '🎯': 'Target',
  '🚀': 'Rocket',
};

/** What the person is doing, for others to see, until it ends by itself. */
export function StatusDialog({ onClose }: { onClose: () => void }) {
  const workspace = useWorkspace();
  const { client, org, profile } = workspace;
  const queryClient = useQueryClient();
  const { status } = usePeople()(profile.userId);
  const [emoji, setEmoji] = useState(status?.emoji ?? '💬');
  const [text, setText] = useState(status?.text ?? '');
  const [end, setEnd] = useState<End>('today');
  const [day, setDay] = useState(dayFromNow(7));
  const [problem, setProblem] = useState<string>();
  const save = useMutation({
    mutationFn: async (changed: UpdateMe['status']) =>
      client.identity.update({ status: changed ?? null }),
    async onSuccess(me) {
      queryClient.setQueryData(keys.me(org.id), me);
      await refetchMember(queryClient, workspace, profile.userId);
      toast(me.status ? 'Status set' : 'Status cleared');
      onClose();
    },
  });
  const refused = fieldErrors(save.error);

  function submit() {
    const words = text.trim();
    setProblem(words === '' ? 'Say in a few words what you are doing.' : undefined);
    if (words === '') return;
    const until = endOf(end, day)?.toISOString() ?? null;
    save.mutate({ emoji, text: words, until });
  }

  return (
    <FormDialog
      title="Set a status"
      description="Everybody in the organisation sees it beside your name."
      action="Set status"
      saving={save}
      problems={refused}
      noValidate
      onSubmit={submit}
      onClose={onClose}
    >
      <div role="group" aria-label="Suggestions" className="grid grid-cols-2 gap-2">
        {PRESETS.map((preset) => (
          <button
            key={preset.text}
            type="button"
            className="flex min-h-11 items-center gap-2 rounded-lg border border-line px-2.5 py-1.5 text-left hover:bg-hover"
            onClick={() => {
              setEmoji(preset.emoji);
              setText(preset.text);
              setEnd(preset.end);
            }}
          >
            <span aria-hidden className="text-lg">
              {preset.emoji}
            </span>
            <span className="flex min-w-0 flex-col leading-tight">
              <span className="text-sm font-medium">{preset.text}</span>
              <span className="text-note text-muted">{preset.about}</span>
            </span>
          </button>
        ))}
      </div>
      <TextField
        label="What are you doing?"
        dir="auto"
        maxLength={100}
        autoComplete="off"
        error={problem ?? refused['status.text']}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <EmojiChoice value={emoji} onChange={setEmoji} />
      <SelectField label="Ends" value={end} onChange={setEnd} options={optionsOf(ENDS)} />
      {end === 'date' && (
        <DayField
          label="Last day"
          min={dayFromNow(0)}
          error={refused['status.until']}
          value={day}
          onChange={setDay}
        />
      )}
      {status && (
        <div>
          <Button size="small" onClick={() => save.mutate(null)}>
            Clear status
          </Button>
        </div>
      )}
    </FormDialog>
  );
}

/** Native radio buttons, so that arrow keys work. */
function EmojiChoice({ value, onChange }: { value: string; onChange: (emoji: string) => void }) {
  const offered = EMOJI.includes(value) ? EMOJI : [value, ...EMOJI];
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="text-sm font-medium">Emoji</legend>
      <div className="flex flex-wrap gap-1">
        {offered.map((emoji) => (
          <label
            key={emoji}
            className="relative inline-flex size-9 cursor-pointer items-center justify-center rounded-md text-lg hover:bg-hover has-checked:bg-accent-soft has-checked:ring-2 has-checked:ring-accent has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
          >
            <input
              type="radio"
              name="status-emoji"
              aria-label={EMOJI_NAMES[emoji] ?? emoji}
              checked={emoji === value}
              onChange={() => onChange(emoji)}
              className="absolute inset-0 cursor-pointer opacity-0"
            />
            <span aria-hidden>{emoji}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
