import type { ReactNode } from 'react';
import type { Token, Tokens } from './markdown.ts';
import { safeLink } from '../../../ui/text/safe-link.ts';
import { decodeEntities, splitText } from './text-parts.ts';

/** The mentions and citations that a text refers to. */
export interface Showing {
  /** The slugs and names that reach somebody. Others are text. */
  mentions: ReadonlySet<string>;
  /** How many memories the message cites. */
  citationCount: number;
  showCitation: (number: number) => ReactNode;
  /** Undefined if the mention, with its @, isn't a person's. */
  showPerson?: (mention: string, key: number) => ReactNode | undefined;
  /** Shows `#12` as a link to the task. Without it, it is text. */
  showTask?: (number: number) => ReactNode;
  /** Shows a time that an answer of recall names, such as `2026-11-17 23:30 UTC`. */
  showTime?: (at: string) => ReactNode;
  /** More text is coming. Code gets its colours when it is complete. */
  isGrowing?: boolean;
}

/** No mentions or citations, as in the text of a link. */
export const PLAIN: Showing = { mentions: new Set(), citationCount: 0, showCitation: () => null };

export function showInline(tokens: readonly Token[], showing: Showing): ReactNode[] {
  return tokens.map((token, at) => showToken(token, at, showing));
}

function showToken(token: Token, key: number, showing: Showing): ReactNode {
  switch (token.type) {
    case 'strong':
      return (
        <strong key={key} className="font-semibold">
          {showInline((token as Tokens.Strong).tokens, showing)}
        </strong>
      );
    case 'em':
      return <em key={key}>{showInline((token as Tokens.Em).tokens, showing)}</em>;
    case 'del':
      return <del key={key}>{showInline((token as Tokens.Del).tokens, showing)}</del>;
    case 'codespan':
      return (
        <code
          key={key}
          dir="ltr"
          className="rounded bg-hover px-1 py-0.5 font-mono text-[0.9em] whitespace-pre-wrap"
        >
          {(token as Tokens.Codespan).text}
        </code>
      );
    case 'br':
      return <br key={key} />;
    case 'checkbox':
      return null;
    case 'link':
      return showLink(token as Tokens.Link, key);
    case 'image':
      return showImage(token as Tokens.Image, key);
    case 'escape':
      return (token as Tokens.Escape).text;
    case 'text':
      return showText(token as Tokens.Text, showing);
    default:
      return token.raw;
  }
}

function showLink(token: Tokens.Link, key: number): ReactNode {
  const { href, autolink, tokens, raw } = token;
  const address = safeLink(autolink ? href : decodeEntities(href));
  if (address === undefined) return raw;
  const words = autolink ? token.text : showInline(tokens, PLAIN);
  return (
    <OutsideLink key={key} address={address}>
      {words}
    </OutsideLink>
  );
}

/** Images are never loaded, because they would tell their host who reads this, and when. */
function showImage({ href, text, raw }: Tokens.Image, key: number): ReactNode {
  const address = safeLink(decodeEntities(href));
  if (address === undefined) return raw;
  return (
    <OutsideLink key={key} address={address}>
      Image: {decodeEntities(text) || address}
    </OutsideLink>
  );
}

function OutsideLink({ address, children }: { address: string; children: ReactNode }) {
  return (
    <a
      href={address}
      title={address}
      target="_blank"
      rel="noopener noreferrer nofollow"
      className="text-accent underline underline-offset-2 hover:no-underline"
    >
      {children}
    </a>
  );
}

export const MENTION = 'rounded bg-accent-soft px-0.5 font-medium text-accent';

function showText({ text, tokens }: Tokens.Text, showing: Showing): ReactNode {
  if (tokens) return showInline(tokens, showing);
  const parts = splitText(decodeEntities(text), showing.mentions, showing.citationCount);
  return parts.map((part, at) => {
    if (part.kind === 'text') return showing.showTime ? withTimes(part.text, showing) : part.text;
    if (part.kind === 'task') {
      return showing.showTask ? <span key={at}>{showing.showTask(part.number)}</span> : part.text;
    }
    if (part.kind === 'citation') return <span key={at}>{showing.showCitation(part.number)}</span>;
    return (
      showing.showPerson?.(part.text, at) ?? (
        <span key={at} className={MENTION}>
          {part.text}
        </span>
      )
    );
  });
}

const TIME = /\b(\d{4}-\d\d-\d\d) (\d\d:\d\d) UTC\b/;

function withTimes(text: string, { showTime }: Showing): ReactNode {
  const [whole, day, clock] = TIME.exec(text) ?? [];
  if (whole === undefined || !showTime) return text;
  const [before, after] = text.split(whole, 2);
  return (
    <span key={text}>
      {before}
      {showTime(`${day}T${clock}:00Z`)}
      {after}
    </span>
  );
}
