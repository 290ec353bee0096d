import { X } from 'lucide-react';
import { useRef, useState, type KeyboardEvent } from 'react';
import { Button } from '../controls/button.tsx';
import { CONTROL, Field } from './field.tsx';
import { countCharacters } from '../text/count-characters.ts';

const TAG_LENGTH = 50;
const TAG_COUNT = 20;

interface TagsFieldProps {
  label?: string;
  /** What one of them is called. */
  noun?: 'tag' | 'label';
  tags: string[];
  error?: string | undefined;
  onChange: (tags: string[]) => void;
}

/** Tags as chips. Enter or a comma adds a tag. Backspace in an empty field removes the last one. */
export function TagsField({
  label = 'Tags (optional)',
  noun = 'tag',
  tags,
  error,
  onChange,
}: TagsFieldProps) {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string>();
  const input = useRef<HTMLInputElement>(null);

  function add(written: string) {
    const added = written
      .split(',')
      .map((tag) => tag.trim())
      .filter((tag) => tag !== '');
    const tooLong = added.find((tag) => countCharacters(tag) > TAG_LENGTH);
    const all = [...new Set([...tags, ...added])];
    if (tooLong) return setProblem(`A ${noun} can have at most ${TAG_LENGTH} characters.`);
    if (all.length > TAG_COUNT) return setProblem(`At most ${TAG_COUNT} ${noun}s are possible.`);
    setProblem(undefined);
    setText('');
    if (all.length > tags.length) onChange(all);
  }

  function remove(tag: string) {
    onChange(tags.filter((other) => other !== tag));
    setProblem(undefined);
    input.current?.focus();
  }

  function handleKey(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return;
    if ((event.key === 'Enter' || event.key === ',') && text.trim() !== '') {
      event.preventDefault();
      add(text);
    } else if (event.key === 'Backspace' && text === '') {
      const last = tags.at(-1);
      if (last !== undefined) remove(last);
    }
  }

  return (
    <Field
      label={label}
      hint={`Press Enter or a comma after each ${noun}.`}
      error={problem ?? error}
    >
      {(control) => (
        <div className="flex flex-col gap-2">
          <div className="flex gap-2">
            <input
              {...control}
              ref={input}
              dir="auto"
              autoComplete="off"
              className={`${CONTROL} min-h-10 min-w-0 sm:min-h-9`}
              value={text}
              onChange={({ target }) => setText(target.value)}
              onKeyDown={handleKey}
              // Text left in the field is meant as a tag.
              onBlur={() => add(text)}
            />
            <Button onClick={() => add(text)}>Add {noun}</Button>
          </div>
          {tags.length > 0 && (
            <ul aria-label={noun === 'tag' ? 'Tags' : 'Labels'} className="flex flex-wrap gap-1.5">
              {tags.map((tag) => (
                <li key={tag}>
                  <button
                    type="button"
                    aria-label={`Remove ${noun} ${tag}`}
                    className="inline-flex min-h-7 max-w-full items-center gap-1 rounded-full bg-hover px-2.5 text-note hover:bg-accent-soft"
                    onClick={() => remove(tag)}
                  >
                    <bdi className="wrap-anywhere">{tag}</bdi>
                    <X aria-hidden className="size-3.5 shrink-0" />
                  </button>
                </li>
              ))}
            </ul>
          )}
        </div>
      )}
    </Field>
  );
}
