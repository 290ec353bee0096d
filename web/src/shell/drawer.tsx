import { X } from 'lucide-react';
import { useEffect, type ReactNode } from 'react';
import { IconButton } from '../ui/controls/button.tsx';
import { ModalContext, useModal } from '../ui/layers/modal.ts';

const wide = matchMedia('(min-width: 48rem)');

/** The sidebar on a phone: a modal dialog at the edge, so that focus stays in it and returns afterwards. */
export function Drawer({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  const [dialog, modal] = useModal(onClose);
  useEffect(() => {
    wide.addEventListener('change', onClose);
    return () => wide.removeEventListener('change', onClose);
  }, [onClose]);
  return (
    <dialog
      {...modal}
      aria-label="Menu"
      className="m-0 h-dvh max-h-none w-[min(20rem,88vw)] max-w-none overflow-hidden border-r border-line bg-surface shadow-2xl transition-[translate] duration-150 starting:-translate-x-full"
    >
      <ModalContext value={dialog}>
        {/* Focus starts here, not on the close button, whose tooltip would cover the menu. */}
        <div data-autofocus tabIndex={-1} className="flex h-full flex-col outline-none">
          <div className="flex justify-end px-2 pt-2">
            <IconButton label="Close menu" icon={X} iconClass="size-5" onClick={onClose} />
          </div>
          <div className="min-h-0 flex-1">{children}</div>
        </div>
      </ModalContext>
    </dialog>
  );
}
