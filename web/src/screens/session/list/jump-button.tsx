import { ArrowDown } from 'lucide-react';
import { Button } from '../../../ui/controls/button.tsx';

export function JumpButton({ unseen, onClick }: { unseen: number; onClick: () => void }) {
  const label =
    unseen === 0 ? 'Jump to newest' : unseen === 1 ? '1 new message' : `${unseen} new messages`;
  return (
    <div className="pointer-events-none absolute inset-x-0 bottom-3 z-10 flex justify-center print:hidden">
      <Button
        size="small"
        look={unseen > 0 ? 'primary' : 'plain'}
        className="pointer-events-auto rounded-full shadow-lg"
        onClick={onClick}
      >
        {label}
        <ArrowDown aria-hidden className="size-4" />
      </Button>
    </div>
  );
}
