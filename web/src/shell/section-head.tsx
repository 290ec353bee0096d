import type { ComponentProps } from 'react';
import { IconButton } from '../ui/controls/button.tsx';

/** The heading of a part of the sidebar, with a button. */
export function SectionHead({ title, ...button }: ComponentProps<typeof IconButton>) {
  return (
    <div className="flex items-center justify-between pl-2">
      <h2 className="text-xs font-semibold text-muted">{title}</h2>
      <IconButton className="size-7! sm:size-7" {...button} />
    </div>
  );
}
