/** The number of unread messages, with a word for screen readers. */
export function UnreadCount({ count }: { count: number }) {
  if (count === 0) return null;
  const shown = count > 99 ? '99+' : String(count);
  return (
    <span className="shrink-0 rounded-full bg-accent-strong px-1.5 py-px text-[11px] leading-4 font-semibold text-on-accent tabular-nums">
      {shown}
      <span className="sr-only"> unread</span>
    </span>
  );
}
