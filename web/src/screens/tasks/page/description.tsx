import { useMemo } from 'react';
import { PLAIN, type Showing } from '../../session/content/inline-view.tsx';
import { MarkdownView } from '../../session/content/markdown-view.tsx';
import { TaskNumber } from '../../session/content/task-number.tsx';

export function Description({ text, slug }: { text: string; slug: string }) {
  const showing = useMemo<Showing>(
    () => ({ ...PLAIN, showTask: (number) => <TaskNumber slug={slug} number={number} /> }),
    [slug],
  );
  return <MarkdownView source={text} showing={showing} />;
}
