/** Over the composer, while files are held above its pane. */
export function DropHint() {
  return (
    <p className="pointer-events-none absolute inset-0 z-10 flex items-center justify-center rounded-lg border-2 border-dashed border-accent bg-accent-soft text-sm font-medium text-accent">
      Drop the files to attach them
    </p>
  );
}
