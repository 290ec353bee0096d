import { AgentAvatar } from '../../../ui/avatar.tsx';

/** An agent that was asked and hasn't answered yet. The list's announcer reads it aloud. */
export function AnsweringRow({ slug }: { slug: string }) {
  return (
    <article
      aria-label={`${slug} is answering`}
      className="flex items-center gap-3 px-3 py-1.5 sm:px-4"
    >
      <span className="flex w-9 shrink-0 justify-center">
        <AgentAvatar />
      </span>
      <AnsweringText slug={slug} />
    </article>
  );
}

export function AnsweringText({ slug }: { slug: string }) {
  return (
    <p className="flex min-w-0 items-center gap-2 text-sm text-muted">
      <span className="min-w-0 truncate">
        <span className="font-medium text-ink">{slug}</span> is answering
      </span>
      <span aria-hidden className="inline-flex gap-1">
        <Dot />
        <Dot className="[animation-delay:150ms]" />
        <Dot className="[animation-delay:300ms]" />
      </span>
    </p>
  );
}

function Dot({ className = '' }: { className?: string }) {
  return (
    <span
      className={`size-1.5 rounded-full bg-muted motion-safe:animate-bounce motion-reduce:opacity-70 ${className}`}
    />
  );
}
