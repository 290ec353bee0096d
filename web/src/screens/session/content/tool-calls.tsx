import type { ToolCall, ToolProgress } from '@atrium/sdk';
import { ChevronRight, Wrench } from 'lucide-react';
import { useId } from 'react';
import { Badge } from '../../../ui/marks/badge.tsx';
import { Spinner } from '../../../ui/states/spinner.tsx';
import { formatDuration } from './duration.ts';
import { callInWords } from './tool-words.ts';

interface ToolCallsProps {
  calls: readonly ToolCall[];
  /** Its own tools are shown without a server. */
  agentSlug: string | null;
}

/** What an agent did with its tools, all shown as text. */
export function ToolCalls({ calls, agentSlug }: ToolCallsProps) {
  return (
    <ul aria-label="Tool calls" className="flex min-w-0 flex-col gap-1.5">
      {calls.map((call, at) => (
        <li key={at} className="min-w-0">
          <ToolCallRow call={call} isOwn={call.server === agentSlug} />
        </li>
      ))}
    </ul>
  );
}

interface ToolCallsUnderWayProps {
  calls: readonly ToolProgress[];
  /** Whoever answers. An agent's own tools are shown without a server. */
  mention: string;
}

/** The same before the reply lands. Only then are there arguments and results. */
export function ToolCallsUnderWay({ calls, mention }: ToolCallsUnderWayProps) {
  return (
    <ul aria-label="Tool calls" className="flex min-w-0 flex-col gap-1.5">
      {calls.map((call, at) => (
        <li
          key={at}
          className="flex min-h-9 min-w-0 items-start gap-2 rounded-md border border-line bg-ground px-2.5 py-1.5 text-sm"
        >
          <ToolCallLine
            call={call}
            isOwn={call.server === mention}
            isUnderWay={call.state === 'started'}
          />
        </li>
      ))}
    </ul>
  );
}

interface ToolCallLineProps {
  call: Pick<ToolCall, 'server' | 'name'> & Partial<ToolCall>;
  isOwn: boolean;
  isUnderWay?: boolean;
}

/** What was done. How long it took is for those who point at it, or open it. */
function ToolCallLine({ call, isOwn, isUnderWay = false }: ToolCallLineProps) {
  const words = isOwn ? callInWords(call, isUnderWay) : undefined;
  return (
    <>
      <Wrench aria-hidden className="mt-0.5 size-4 shrink-0 text-muted" />
      <span
        title={call.latencyMs === undefined ? undefined : formatDuration(call.latencyMs)}
        className="flex min-w-0 flex-1 flex-wrap items-center gap-x-2 gap-y-1"
      >
        <span className="min-w-0 wrap-anywhere">
          {words ?? (
            <>
              {isUnderWay ? 'Using' : 'Used'}{' '}
              <span className="font-mono text-note">{call.name}</span>
              {!isOwn && ` of ${call.server}`}
            </>
          )}
        </span>
        {isUnderWay && <Spinner label="running" />}
        {!isUnderWay && call.isError && <Badge tone="danger">failed</Badge>}
      </span>
    </>
  );
}

function ToolCallRow({ call, isOwn }: { call: ToolCall; isOwn: boolean }) {
  const { isError, arguments: given, result } = call;
  return (
    <details className="group min-w-0 rounded-md border border-line bg-ground text-sm">
      <summary className="flex min-h-9 list-none items-start gap-2 px-2.5 py-1.5 [&::-webkit-details-marker]:hidden">
        <ChevronRight
          aria-hidden
          className="mt-0.5 size-4 shrink-0 text-muted transition-transform group-open:rotate-90"
        />
        <ToolCallLine call={call} isOwn={isOwn} />
      </summary>
      <div className="flex flex-col gap-2 border-t border-line p-2.5">
        <p className="text-xs text-muted">
          <span className="font-mono">{call.name}</span> · {formatDuration(call.latencyMs)}
        </p>
        <Box title="Arguments" text={inJson(given)} />
        <Box title={isError ? 'Error' : 'Result'} text={result || '(empty)'} />
      </div>
    </details>
  );
}

function Box({ title, text }: { title: string; text: string }) {
  const id = useId();
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <p id={id} className="text-xs font-medium text-muted">
        {title}
      </p>
      <pre
        role="group"
        aria-labelledby={id}
        tabIndex={0}
        dir="auto"
        className="max-h-60 overflow-auto rounded bg-hover p-2 font-mono text-xs whitespace-pre-wrap wrap-anywhere"
      >
        {text}
      </pre>
    </div>
  );
}

function inJson(given: unknown): string {
  return typeof given === 'string' ? given : (JSON.stringify(given, null, 2) ?? '');
}
