import { useEffect, useRef, useState } from 'react';
import { nameAuthor } from '../../../data/queries.ts';
import { useWorkspace } from '../../../data/workspace.tsx';
import { useMessageActions } from '../use-message-actions.ts';
import type { Row } from './rows.ts';

/**
 * Announces new messages to screen readers. The list itself isn't a live region, because a virtual list
 * would read out every message that is scrolled to.
 */
export function Announcer({ rows, isAtNewest }: { rows: readonly Row[]; isAtNewest: boolean }) {
  const { profile } = useWorkspace();
  const { person, agentName, answererOf } = useMessageActions();
  const [text, setText] = useState('');
  const known = useRef<ReadonlySet<string> | null>(null);
  useEffect(() => {
    if (!isAtNewest) return;
    const recent = rows.slice(-20);
    const before = known.current;
    known.current = new Set(recent.map(({ key }) => key));
    if (!before) return;
    const words = recent
      .filter(({ key }) => !before.has(key))
      .flatMap((row) => {
        if (row.kind === 'answering') return `${answererOf(row.mention)} is answering`;
        if (row.kind !== 'message' || row.message.authorUserId === profile.userId) return [];
        const { body, status } = row.message;
        const name = nameAuthor(row.message, person, agentName);
        const end = status === 'STOPPED' ? '. Stopped before it was finished' : '';
        return `${name}: ${body.slice(0, 300)}${end}`;
      });
    if (words.length > 0) setText(words.slice(-3).join('. '));
  }, [rows, isAtNewest, person, agentName, answererOf, profile.userId]);
  return (
    <div aria-live="polite" className="sr-only">
      {text}
    </div>
  );
}
