import { Dialog } from '../../ui/dialog.tsx';
import { CheckboxField } from '../../ui/field.tsx';
import { COMMAND, useSingleKeys } from './shortcuts.ts';

const SHEET: { title: string; rows: [keys: string[], does: string][] }[] = [
  {
    title: 'Anywhere',
    rows: [
      [[`${COMMAND}K`], 'Search or jump to'],
      [['?'], 'This sheet'],
      [['c'], 'New session'],
      [['g', 'h'], 'All Projects'],
      [['g', 'm'], 'Memory'],
      [['g', 's'], 'Settings'],
      [['Alt ↑', '['], 'Previous session'],
      [['Alt ↓', ']'], 'Next session'],
      [['Esc'], 'Close what is open'],
    ],
  },
  {
    title: 'Writing a message',
    rows: [
      [['Enter'], 'Send'],
      [['Shift Enter'], 'New line'],
      [['@'], 'Mention a model, an integration or a person'],
    ],
  },
];

/** Between the keys of one row: pressed one after the other, or either of them. */
const isSequence = (keys: string[]) => keys[0] === 'g';

export function ShortcutsSheet({ onClose }: { onClose: () => void }) {
  const [isOn, setOn] = useSingleKeys();
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      {SHEET.map(({ title, rows }) => (
        <section key={title} className="flex flex-col gap-1">
          <h3 className="text-sm font-semibold">{title}</h3>
          <dl>
            {rows.map(([keys, does]) => (
              <div key={does} className="flex items-center justify-between gap-4 py-1 text-sm">
                <dt className="text-muted">{does}</dt>
                <dd className="flex shrink-0 items-center gap-1.5">
                  {keys.map((key, at) => (
                    <span key={key} className="flex items-center gap-1.5">
                      {at > 0 && (
                        <span className="text-xs text-muted">
                          {isSequence(keys) ? 'then' : 'or'}
                        </span>
                      )}
                      <kbd className="rounded border border-edge bg-surface px-1.5 py-0.5 font-sans text-xs">
                        {key}
                      </kbd>
                    </span>
                  ))}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      <CheckboxField
        label="Use keys of one character"
        hint="Turn them off where speech input or a slip of the hand presses them. The others stay."
        checked={isOn}
        onChange={(event) => setOn(event.target.checked)}
      />
    </Dialog>
  );
}
