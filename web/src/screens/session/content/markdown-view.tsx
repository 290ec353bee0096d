import { Square, SquareCheck } from 'lucide-react';
import { memo, type ReactNode } from 'react';
import { cx } from '../../../ui/text/cx.ts';
import { Day } from '../../../ui/marks/time.tsx';
import { CodeBlock } from './code-block.tsx';
import { directionOf } from './direction.ts';
import { PLAIN, showInline, type Showing } from './inline-view.tsx';
import { readMarkdown, type Token, type Tokens } from './markdown.ts';

/** Markdown as React elements. It never becomes HTML. */
export function MarkdownView({ source, showing }: { source: string; showing: Showing }) {
  const tokens = readMarkdown(source);
  const blocks = showBlocks(tokens, showing, numberQuotes(tokens, showing.citationCount));
  return (
    <div data-text dir={directionOf(source)} className={TEXT}>
      {blocks.some(Boolean) ? blocks : <p className="whitespace-pre-wrap">{source}</p>}
    </div>
  );
}

export const TEXT = 'flex min-w-0 flex-col gap-2 leading-relaxed wrap-anywhere';

/** Compared by its text, because the end of a growing text is read again each time. */
export const Block = memo(
  ({ token, showing }: Part<Token>) => showBlock(token, 0, showing),
  (before, after) =>
    before.showing === after.showing &&
    before.token.type === after.token.type &&
    before.token.raw === after.token.raw,
);

/** Which top-level quote cites which memory, if all of them do, as in answers of `recall`. */
function numberQuotes(tokens: readonly Token[], count: number): Map<Token, number> {
  const quotes = tokens.filter((token) => captionOf(token)?.raw.startsWith('— memory'));
  return new Map(quotes.length === count ? quotes.map((token, at) => [token, at + 1]) : []);
}

/** The last paragraph of a quote, if it says whose words they are: "— Ada, 1843". */
function captionOf(token: Token): Tokens.Paragraph | undefined {
  if (token.type !== 'blockquote') return undefined;
  const { tokens } = token as Tokens.Blockquote;
  const last = tokens.at(-1);
  if (tokens.length < 2 || last?.type !== 'paragraph') return undefined;
  return last.raw.startsWith('— ') ? (last as Tokens.Paragraph) : undefined;
}

function showBlocks(
  tokens: readonly Token[],
  showing: Showing,
  numbers: ReadonlyMap<Token, number> = new Map(),
): ReactNode[] {
  return tokens.map((token, at) => showBlock(token, at, showing, numbers.get(token)));
}

function showBlock(token: Token, key: number, showing: Showing, number?: number): ReactNode {
  switch (token.type) {
    case 'space':
      return null;
    case 'heading': {
      const { tokens, depth } = token as Tokens.Heading;
      if (tokens.length === 0) return null;
      // Not a real heading: the page's outline belongs to the app, whatever people write.
      return (
        <p key={key} dir="auto" className={cx('mt-1 font-semibold', HEADING[depth])}>
          <strong className="font-semibold">{showInline(tokens, showing)}</strong>
        </p>
      );
    }
    case 'code': {
      const { text, lang } = token as Tokens.Code;
      const { isGrowing = false } = showing;
      return <CodeBlock key={key} code={text} language={lang} isGrowing={isGrowing} />;
    }
    case 'blockquote':
      return <Quote key={key} token={token as Tokens.Blockquote} {...{ showing, number }} />;
    case 'list':
      return <List key={key} token={token as Tokens.List} showing={showing} />;
    case 'table':
      return <Table key={key} token={token as Tokens.Table} showing={showing} />;
    case 'hr':
      return <hr key={key} className="border-line" />;
    case 'checkbox':
      return null;
    default: {
      const { tokens, raw } = token as Tokens.Paragraph | Tokens.Text;
      return (
        <p key={key} dir="auto" className="whitespace-pre-wrap">
          {tokens ? showInline(tokens, showing) : raw}
        </p>
      );
    }
  }
}

const HEADING: Record<number, string> = { 1: 'text-lg', 2: 'text-base', 3: 'text-[15px]' };

interface Part<T> {
  token: T;
  showing: Showing;
}

function Quote({
  token,
  showing,
  number,
}: Part<Tokens.Blockquote> & { number: number | undefined }) {
  const caption = captionOf(token);
  const said = caption ? token.tokens.slice(0, -1) : token.tokens;
  const quote = (
    <blockquote className="flex min-w-0 flex-col gap-2">{showBlocks(said, showing)}</blockquote>
  );
  const box = 'flex min-w-0 flex-col gap-1.5 border-s-3 border-edge ps-3';
  const dir = directionOf(token.raw);
  if (!caption) {
    return (
      <div dir={dir} className={cx(box, 'text-muted')}>
        {quote}
      </div>
    );
  }
  return (
    <figure dir={dir} className={cx(box, 'rounded-e-md bg-hover py-2 pe-3')}>
      {quote}
      <figcaption dir="auto" className="text-note text-muted">
        {number !== undefined && <>{showing.showCitation(number)} </>}
        {showInline(caption.tokens, { ...showing, showTime: (at) => <Day at={at} /> })}
      </figcaption>
    </figure>
  );
}

function List({ token, showing }: Part<Tokens.List>) {
  const items = token.items.map((item, at) => (
    <ListItem
      key={at}
      token={item}
      showing={showing.isGrowing && at < token.items.length - 1 ? PLAIN : showing}
    />
  ));
  const isTasks = token.items.every(({ task }) => task);
  const dir = directionOf(token.raw);
  const gaps = cx('flex flex-col', token.loose ? 'gap-2' : 'gap-1');
  if (!token.ordered) {
    return (
      <ul dir={dir} className={cx(gaps, isTasks ? 'ps-1' : 'list-disc ps-5')}>
        {items}
      </ul>
    );
  }
  return (
    <ol
      dir={dir}
      start={token.start === '' ? undefined : token.start}
      className={cx(gaps, 'list-decimal ps-8')}
    >
      {items}
    </ol>
  );
}

/** Compared by its text, like `Block`. */
const ListItem = memo(
  ({ token, showing }: Part<Tokens.ListItem>) => (
    <li className={token.task ? 'flex min-w-0 gap-2' : 'min-w-0 ps-1'}>
      {token.task && <Check isChecked={token.checked === true} />}
      <div className="flex min-w-0 flex-col gap-1">
        {showBlocks(token.tokens.map(withoutCheckbox), showing)}
      </div>
    </li>
  ),
  (before, after) =>
    before.showing === after.showing &&
    before.token.raw === after.token.raw &&
    before.token.loose === after.token.loose,
);

/** A loose list has the checkbox inside its first paragraph. */
function withoutCheckbox(token: Token): Token {
  if (token.type !== 'paragraph' || token.tokens?.[0]?.type !== 'checkbox') return token;
  return { ...token, tokens: token.tokens.slice(1) };
}

function Check({ isChecked }: { isChecked: boolean }) {
  const Icon = isChecked ? SquareCheck : Square;
  return (
    <span className="mt-1 shrink-0">
      <Icon aria-hidden className={cx('size-4', isChecked ? 'text-good' : 'text-muted')} />
      <span className="sr-only">{isChecked ? 'Done:' : 'To do:'}</span>
    </span>
  );
}

const ALIGN = { left: 'text-start', center: 'text-center', right: 'text-end' };

/** As wide as it needs to be, in its own scrolling box. */
function Table({ token, showing }: Part<Tokens.Table>) {
  const cell = ({ tokens, align }: Tokens.TableCell) => ({
    className: cx('border border-line px-2.5 py-1.5 align-top', ALIGN[align ?? 'left']),
    children: showInline(tokens, showing),
  });
  return (
    <div role="group" aria-label="Table" tabIndex={0} className="max-w-full overflow-x-auto">
      <table className="border-collapse text-sm wrap-normal">
        <thead className="bg-hover">
          <tr>
            {token.header.map((header, at) => (
              <th key={at} scope="col" dir="auto" {...cell(header)} />
            ))}
          </tr>
        </thead>
        <tbody>
          {token.rows.map((row, at) => (
            <tr key={at}>
              {row.map((column, at) => (
                <td key={at} dir="auto" {...cell(column)} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
