import type { File as StoredFile } from '@atrium/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { ChevronDown } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { keys } from '../../../data/query-keys.ts';
import { useWorkspace } from '../../../data/workspace.tsx';
import { IconButton } from '../../../ui/controls/button.tsx';
import { CONTROL } from '../../../ui/forms/field.tsx';
import { Form } from '../../../ui/forms/form.tsx';
import { inWords } from '../../../ui/states/error-note.tsx';
import { findInText, type Found } from './find-in-text.ts';

interface FindInFileProps {
  file: StoredFile;
  pages: number;
  /** The one that is shown: the search begins there. */
  page: number;
  onFound: (page: number) => void;
}

type State =
  | { kind: 'searching'; page: number }
  | { kind: 'found'; query: string; page: number; found: Found }
  | { kind: 'none' }
  | { kind: 'failed'; error: unknown };

/** Looks for words page by page, from the one that is shown, until one has them. Enter goes on to the next. */
export function FindInFile({ file, pages, page, onFound }: FindInFileProps) {
  const { client, org } = useWorkspace();
  const queryClient = useQueryClient();
  const [query, setQuery] = useState('');
  const [state, setState] = useState<State>();
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  function change(typed: string) {
    running.current?.abort();
    setQuery(typed);
    setState(undefined);
  }

  function readText(of: number, signal: AbortSignal) {
    return queryClient.fetchQuery({
      queryKey: [...keys.file(org.id, file.id), 'text', of],
      queryFn: async () => client.files.text(file.id, { page: of }, { signal }),
      staleTime: Infinity,
    });
  }

  async function find() {
    running.current?.abort();
    const run = new AbortController();
    running.current = run;
    const isAgain = state?.kind === 'found' && state.query === query && state.page === page;
    const first = isAgain ? page : page - 1;
    try {
      for (let nth = 0; nth < pages; nth++) {
        const at = ((first + nth) % pages) + 1;
        setState({ kind: 'searching', page: at });
        const { text } = await readText(at, run.signal);
        if (run.signal.aborted) return;
        const found = findInText(text, query);
        if (!found) continue;
        setState({ kind: 'found', query, page: at, found });
        return onFound(at);
      }
      setState({ kind: 'none' });
    } catch (error) {
      if (!run.signal.aborted) setState({ kind: 'failed', error });
    }
  }

  if (file.text !== 'READY') {
    return <p className="text-note text-muted">{whyNot(file)}</p>;
  }
  return (
    <>
      <Form
        role="search"
        className="flex items-center gap-1"
        onSubmit={() => query.trim() !== '' && void find()}
      >
        <input
          type="search"
          aria-label="Find in this file"
          placeholder="Find in this file"
          dir="auto"
          maxLength={200}
          autoComplete="off"
          value={query}
          onChange={({ target }) => change(target.value)}
          className={`${CONTROL} min-h-8 w-44! sm:w-56!`}
        />
        <IconButton
          type="submit"
          label="Find next"
          icon={ChevronDown}
          disabled={query.trim() === ''}
        />
      </Form>
      <p role="status" className="min-w-0 flex-1 basis-60 truncate text-note text-muted">
        <Outcome state={state} pages={pages} />
      </p>
    </>
  );
}

function Outcome({ state, pages }: { state: State | undefined; pages: number }) {
  if (!state) return null;
  if (state.kind === 'searching') return `Searching page ${state.page} of ${pages}…`;
  if (state.kind === 'none') return 'Not found in this file.';
  if (state.kind === 'failed') return inWords(state.error);
  const { before, match, after, count } = state.found;
  return (
    <>
      Page {state.page}
      {count > 1 && `, ${count} times`}: …{before}
      <mark className="bg-warn-soft text-warn">{match}</mark>
      {after}…
    </>
  );
}

function whyNot({ text, textReason }: StoredFile): string {
  if (text === 'PENDING') return 'Its text is being read, and can be searched soon.';
  return textReason ?? 'It has no text that can be searched.';
}
