/** The logo, the same drawing as public/icon.svg. */
export function AtriumMark({ className = 'size-6' }: { className?: string }) {
  return (
    <svg aria-hidden viewBox="0 0 32 32" className={className}>
      <rect width="32" height="32" rx="8" fill="#4f46e5" />
      <path d="M7 24V14l9-6 9 6v10h-5v-7a4 4 0 0 0-8 0v7z" fill="#fff" />
    </svg>
  );
}
