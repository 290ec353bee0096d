import { Fragment } from 'react';

/** A part of a text, by the positions of its characters. */
export interface Mark {
  from: number;
  to: number;
}

/** The part of a long text with most of the marks, with an ellipsis where it is cut. */
export function Passage({ text, marks, length }: { text: string; marks: Mark[]; length: number }) {
  const { from, to } = bestPart(text, marks, length);
  return (
    <>
      {from > 0 && '… '}
      <Marked
        text={text.slice(from, to)}
        marks={marks
          .filter((mark) => mark.from >= from && mark.to <= to)
          .map((mark) => ({ from: mark.from - from, to: mark.to - from }))}
      />
      {to < text.length && ' …'}
    </>
  );
}

/** The text with the marks highlighted. They are in order and don't overlap. */
export function Marked({ text, marks }: { text: string; marks: Mark[] }) {
  return (
    <>
      {marks.map((mark, at) => (
        <Fragment key={mark.from}>
          {text.slice(marks[at - 1]?.to ?? 0, mark.from)}
          <mark className="rounded-sm bg-warn-soft font-medium text-ink underline decoration-warn decoration-2 underline-offset-2">
            {text.slice(mark.from, mark.to)}
          </mark>
        </Fragment>
      ))}
      {text.slice(marks.at(-1)?.to ?? 0)}
    </>
  );
}

function bestPart(text: string, marks: Mark[], length: number): { from: number; to: number } {
  if (text.length <= length) return { from: 0, to: text.length };
  const lead = Math.floor(length / 6);
  let best = { from: 0, count: 0 };
  for (const { from } of marks) {
    const start = Math.max(0, Math.min(from - lead, text.length - length));
    const count = marks.filter((mark) => mark.from >= start && mark.to <= start + length).length;
    if (count > best.count) best = { from: start, count };
  }
  return {
    from: atWord(text, best.from),
    to: atWord(text, Math.min(best.from + length, text.length)),
  };
}

/** Moves back to the start of the word if that is near. Never splits a character. */
function atWord(text: string, position: number): number {
  if (position <= 0 || position >= text.length) return position;
  const space = text.lastIndexOf(' ', position);
  if (space > position - 30) return space + 1;
  const isInside = /[\uDC00-\uDFFF]/.test(text[position] ?? '');
  return isInside ? position - 1 : position;
}
