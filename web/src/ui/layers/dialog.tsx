import { X } from 'lucide-react';
import { useId, useState, type ReactNode } from 'react';
import { Button, type ButtonLook } from '../controls/button.tsx';
import { cx } from '../text/cx.ts';
import { ErrorNote } from '../states/error-note.tsx';
import { ModalContext, useModal } from './modal.ts';

export interface DialogProps {
  title: string;
  description?: ReactNode;
  onClose: () => void;
  children: ReactNode;
  width?: 'narrow' | 'wide' | undefined;
}

/**
 * The native modal dialog. It traps and restores focus, closes with Escape and makes the rest inert,
 * without injecting styles, which the page's policy forbids. It is open while it is mounted.
 */
export function Dialog({ title, description, onClose, children, width = 'narrow' }: DialogProps) {
  const [dialog, modal] = useModal(onClose);
  const id = useId();
  return (
    <dialog
      {...modal}
      aria-labelledby={`${id}-title`}
      aria-describedby={description ? `${id}-description` : undefined}
      className={cx(
        'm-auto max-h-[calc(100dvh-2rem)] w-[calc(100vw-2rem)] overflow-y-auto rounded-xl border border-line bg-raised shadow-2xl',
        width === 'wide' ? 'max-w-2xl' : 'max-w-md',
      )}
    >
      <div className="flex flex-col gap-4 p-5">
        <header className="flex items-start justify-between gap-4">
          <div className="flex min-w-0 flex-col gap-1">
            <h2 id={`${id}-title`} className="text-lg font-semibold">
              {title}
            </h2>
            {description && (
              <div id={`${id}-description`} className="text-sm text-muted">
                {description}
              </div>
            )}
          </div>
          {/* No tooltip: if focus starts here, it would swallow the first Escape. */}
          <button
            type="button"
            aria-label="Close"
            className="inline-flex size-9 shrink-0 items-center justify-center rounded-md hover:bg-hover sm:size-8"
            onClick={onClose}
          >
            <X aria-hidden className="size-4" />
          </button>
        </header>
        <ModalContext value={dialog}>{children}</ModalContext>
      </div>
    </dialog>
  );
}

export function DialogActions({ children }: { children: ReactNode }) {
  return <div className="flex flex-wrap justify-end gap-2 pt-1">{children}</div>;
}

interface ConfirmProps {
  title: string;
  description: ReactNode;
  /** The button's label, verb and noun: "Revoke key". */
  action: string;
  look?: ButtonLook;
  /** The dialog closes when this resolves, and shows the error if it fails. */
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
}

export function ConfirmDialog({ action, look = 'danger', onConfirm, ...rest }: ConfirmProps) {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  async function confirm() {
    setBusy(true);
    try {
      await onConfirm();
      rest.onClose();
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  }
  return (
    <Dialog {...rest}>
      {error !== undefined && <ErrorNote error={error} />}
      <DialogActions>
        <Button onClick={rest.onClose}>Cancel</Button>
        <Button look={look} isBusy={isBusy} onClick={() => void confirm()}>
          {action}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
