import { Dialog } from '../ui/layers/dialog.tsx';
import { CheckboxField } from '../ui/forms/field.tsx';
import { useSingleKeys } from '../data/device/single-keys.ts';
import { MAIN_PAGES } from './main-pages.ts';
import { COMMAND } from './shortcuts.ts';

type Row = [keys: string[], does: string];

const SHEET: { title: string; rows: Row[] }[] = [
  {
    title: 'Anywhere',
    rows: [
      [[`${COMMAND}K`], 'Search or jump to'],
      [[`${COMMAND}/`], 'Show keyboard shortcuts'],
      [['Alt N'], 'New chat'],
      [['Alt ↑'], 'Previous session'],
      [['Alt ↓'], 'Next session'],
      [['Esc'], 'Close dialog or menu'],
    ],
  },
  {
    title: 'Outside sessions',
    rows: [
      [['?'], 'Show keyboard shortcuts'],
      [['n'], 'Start a new chat'],
      [['c'], 'Start session (on task pages: create task)'],
      ...MAIN_PAGES.map(({ key, label }): Row => [['g', key], label]),
      [['['], 'Previous session'],
      [[']'], 'Next session'],
    ],
  },
  {
    title: 'In the inbox',
    rows: [
      [['j'], 'Next notification'],
      [['k'], 'Previous notification'],
      [['Enter'], 'Open it'],
      [['e'], 'Mark it as read'],
    ],
  },
  {
    title: 'In a list of tasks',
    rows: [
      [['j', 'k'], 'Next or previous task'],
      [['Enter'], 'Open it'],
      [['x'], 'Select it'],
      [['Shift x'], 'Select everything up to it'],
      [[`${COMMAND}A`], 'Select all'],
      [['s'], 'Status'],
      [['a'], 'Assignee'],
      [['p'], 'Priority'],
      [['l'], 'Labels'],
      [['d'], 'Due date'],
      [[`${COMMAND}Z`], 'Undo the last change'],
    ],
  },
  {
    title: 'In a file',
    rows: [
      [['←', '→'], 'Previous or next file'],
      [['d'], 'Download it'],
      [['Esc'], 'Close it'],
    ],
  },
  {
    title: 'On a task',
    rows: [
      [['s'], 'Change status'],
      [['a'], 'Change assignee'],
      [['p'], 'Change priority'],
      [['d'], 'Change due date'],
      [['l'], 'Change labels'],
      [['j'], 'Next task of the list you came from'],
      [['k'], 'Previous task'],
      [['m'], 'Write a comment'],
    ],
  },
  {
    title: 'In the dialog for new tasks',
    rows: [
      [['Alt S'], 'Status (with A, P, D and L: the others)'],
      [[`${COMMAND}Enter`], 'Create task (in the title, just Enter)'],
    ],
  },
  {
    title: 'On the board, on a task’s handle',
    rows: [
      [['Space', 'Enter'], 'Pick the task up, or drop it'],
      [['←', '→'], 'To another column'],
      [['↑', '↓'], 'Up or down'],
      [['Esc'], 'Put it back'],
      [[`${COMMAND}Z`], 'Undo the last move'],
    ],
  },
  {
    title: 'In a session',
    rows: [
      [['Alt M'], 'Focus the message field (or just type)'],
      [['Enter'], 'Send message, or save an edit'],
      [['Shift Enter'], 'New line'],
      [[`${COMMAND}B`], 'Bold'],
      [[`${COMMAND}I`], 'Italic'],
      [[`${COMMAND}E`], 'Code'],
      [['↑'], 'Edit your last message, if nothing is typed'],
      [['@'], 'Mention a person, an agent, a model or an integration'],
      [['/'], 'Run a command, such as /remind or /task'],
      [['←', '→'], 'On a question that was asked again: its other versions'],
      [['Esc'], 'Stop the answer to your last question, if nothing is typed'],
    ],
  },
];

/** Whether a row's keys are pressed one after the other. Otherwise either key works. */
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
        label="Single-key shortcuts"
        hint="Turn them off if speech input or stray key presses trigger them. Other shortcuts keep working."
        checked={isOn}
        onChange={(event) => setOn(event.target.checked)}
      />
    </Dialog>
  );
}
