import { Tabs } from 'radix-ui';
import { useState } from 'react';
import { Button } from '../../../ui/controls/button.tsx';
import { CopyButton } from '../../../ui/controls/copy-button.tsx';
import { Dialog, DialogActions } from '../../../ui/layers/dialog.tsx';
import { CONTROL, Field } from '../../../ui/forms/field.tsx';
import { Day, Clock } from '../../../ui/marks/time.tsx';
import { toast } from '../../../ui/layers/toast.tsx';
import type { KeyFamily, ShownKey } from './families.ts';
import { snippetsFor } from './snippets.ts';

interface SecretDialogProps {
  family: KeyFamily;
  shown: ShownKey;
  onClose: () => void;
}

/** Shows a key for the only time, with code that uses it. */
export function SecretDialog({ family, shown, onClose }: SecretDialogProps) {
  const { name, secret, scopes, replacedUntil } = shown;
  const baseURL = `${location.origin}/api`;
  const [isCopied, setCopied] = useState(false);
  const [isLeaving, setLeaving] = useState(false);
  const noteCopy = () => setCopied(true);
  function close() {
    onClose();
    toast(`Key “${name}” is no longer shown. If you didn’t copy it, rotate it.`);
  }
  return (
    <Dialog
      title={`Your new key “${name}”`}
      description={
        <strong className="font-medium text-ink">Copy it now. You won’t see it again.</strong>
      }
      width="wide"
      // Escape and a click beside the dialog happen by accident.
      onClose={isCopied ? close : () => setLeaving(true)}
    >
      {replacedUntil && new Date(replacedUntil).getTime() > Date.now() && (
        <p className="rounded-md bg-warn-soft px-3 py-2 text-sm text-warn">
          The old key works until <Day at={replacedUntil} />, <Clock at={replacedUntil} />.
        </p>
      )}
      <Field label="API key">
        {(control) => (
          <div className="flex flex-wrap gap-2">
            <input
              {...control}
              readOnly
              autoComplete="off"
              spellCheck={false}
              className={`${CONTROL} min-h-9 min-w-0 flex-1 basis-60 font-mono text-note`}
              value={secret}
              onFocus={({ target }) => target.select()}
              onCopy={noteCopy}
            />
            <CopyButton
              text={secret}
              label="Copy key"
              look="primary"
              size="medium"
              onCopied={noteCopy}
            />
          </div>
        )}
      </Field>
      <section className="flex min-w-0 flex-col gap-2">
        <h3 className="text-sm font-medium">Try it</h3>
        <Snippets snippets={snippetsFor(family, { secret, scopes, baseURL })} onCopied={noteCopy} />
      </section>
      {isLeaving && !isCopied ? (
        <div role="alert" className="flex flex-col gap-2 rounded-md bg-warn-soft p-3 text-sm">
          <p>You haven’t copied the key yet, and you won’t see it again.</p>
          <DialogActions>
            <Button autoFocus onClick={() => setLeaving(false)}>
              Back to the key
            </Button>
            <Button look="danger" onClick={close}>
              Close without copying
            </Button>
          </DialogActions>
        </div>
      ) : (
        <DialogActions>
          <Button look="primary" onClick={close}>
            Done
          </Button>
        </DialogActions>
      )}
    </Dialog>
  );
}

interface SnippetsProps {
  snippets: ReturnType<typeof snippetsFor>;
  /** The code contains the key. */
  onCopied: () => void;
}

function Snippets({ snippets, onCopied }: SnippetsProps) {
  return (
    <Tabs.Root defaultValue={snippets[0]?.name ?? ''} className="flex min-w-0 flex-col">
      <Tabs.List aria-label="Language" className="flex gap-1 border-b border-line">
        {snippets.map(({ name }) => (
          <Tabs.Trigger
            key={name}
            value={name}
            className="-mb-px min-h-9 border-b-2 border-transparent px-3 text-sm text-muted hover:text-ink data-[state=active]:border-accent data-[state=active]:font-medium data-[state=active]:text-ink"
          >
            {name}
          </Tabs.Trigger>
        ))}
      </Tabs.List>
      {snippets.map(({ name, install, code }) => (
        <Tabs.Content key={name} value={name} className="flex min-w-0 flex-col gap-2 pt-3">
          <pre
            tabIndex={0}
            role="region"
            aria-label={`${name} code`}
            className="max-h-64 overflow-auto rounded-md bg-ground p-3 font-mono text-note leading-relaxed"
          >
            {code}
          </pre>
          <div className="flex flex-wrap items-center justify-between gap-2">
            <p className="text-note text-muted">
              {install && (
                <>
                  Install: <code className="font-mono text-ink">{install}</code>
                </>
              )}
            </p>
            <CopyButton text={code} label={`Copy ${name} code`} onCopied={onCopied} />
          </div>
        </Tabs.Content>
      ))}
    </Tabs.Root>
  );
}
