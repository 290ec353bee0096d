import { decodeXmlReferences } from '../../../text/xml-references.ts';
import { REASONS, Unreadable } from '../reasons.ts';

/** What happens at each part. Names of elements have no prefix. */
export interface XmlHandler {
  open?(name: string, attributes: XmlAttributes): void;
  close?(name: string): void;
  text?(text: string): void;
}

export interface XmlAttributes {
  /** By its name with or, if there is none like it, without its prefix. */
  get(name: string): string | undefined;
}

const MOST_DEPTH = 1000;
const MOST_TAG = 1024 ** 2;
const LONGEST_REFERENCE = 12;

/**
 * A parser that is fed. It knows the five entities of XML and numbers, and refuses every declaration of others: no
 * entity can name a file or grow.
 */
export function createXmlParser(handler: XmlHandler): { write(text: string): void; end(): void } {
  const path: string[] = [];
  let rest = '';

  function tag(source: string): void {
    if (source.startsWith('</')) {
      const name = localName(source.slice(2, -1).trim());
      if (path.pop() !== name) throw new Unreadable(REASONS.damaged);
      handler.close?.(name);
      return;
    }
    const isClosed = source.endsWith('/>');
    const inside = source.slice(1, isClosed ? -2 : -1);
    const space = inside.search(/\s/);
    const name = localName(space === -1 ? inside : inside.slice(0, space));
    if (path.length >= MOST_DEPTH) throw new Unreadable(REASONS.damaged);
    handler.open?.(name, space === -1 ? NO_ATTRIBUTES : attributesOf(inside.slice(space)));
    if (isClosed) handler.close?.(name);
    else path.push(name);
  }

  function text(source: string): void {
    if (source !== '' && path.length > 0) handler.text?.(decodeXmlReferences(source));
  }

  /** Reads one part at `at`, and says where it ends. Undefined if it is not whole yet. */
  function part(source: string, at: number, isLast: boolean): number | undefined {
    if (source[at] !== '<') return textPart(source, at, isLast);
    const end = endOfMarkup(source, at);
    if (end === undefined) return undefined;
    const markup = source.slice(at, end);
    if (markup.startsWith('<![CDATA[')) handler.text?.(markup.slice(9, -3));
    else if (markup.startsWith('<!DOCTYPE')) refuseDeclarations(markup);
    else if (!markup.startsWith('<!') && !markup.startsWith('<?')) tag(markup);
    return end;
  }

  function textPart(source: string, at: number, isLast: boolean): number | undefined {
    const next = source.indexOf('<', at);
    if (next !== -1 || isLast) {
      text(source.slice(at, next === -1 ? undefined : next));
      return next === -1 ? source.length : next;
    }
    // A reference may go on in the next chunk.
    const reference = source.lastIndexOf('&');
    const end = source.length - reference <= LONGEST_REFERENCE ? reference : source.length;
    if (end <= at) return undefined;
    text(source.slice(at, end));
    return end;
  }

  function read(isLast: boolean): void {
    let at = 0;
    while (at < rest.length) {
      const end = part(rest, at, isLast);
      if (end === undefined) break;
      at = end;
    }
    rest = rest.slice(at);
    if (rest.length > MOST_TAG) throw new Unreadable(REASONS.damaged);
  }

  return {
    write(text) {
      rest += text;
      read(false);
    },
    end() {
      read(true);
      if (path.length > 0 || rest.trim() !== '') throw new Unreadable(REASONS.damaged);
    },
  };
}

/** Yields what the handler emits while the chunks are read. */
export async function* readXml<T>(
  chunks: AsyncIterable<Uint8Array>,
  createHandler: (emit: (value: T) => void) => XmlHandler,
): AsyncGenerator<T> {
  const emitted: T[] = [];
  const parser = createXmlParser(createHandler((value) => void emitted.push(value)));
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  for await (const chunk of chunks) {
    decoder ??= new TextDecoder(encodingOf(chunk));
    parser.write(decoder.decode(chunk, { stream: true }));
    yield* emitted.splice(0);
  }
  parser.write(decoder?.decode() ?? '');
  parser.end();
  yield* emitted.splice(0);
}

/** Of a small part, which is read as a whole. */
export function parseXml(bytes: Uint8Array, handler: XmlHandler): void {
  const parser = createXmlParser(handler);
  parser.write(new TextDecoder(encodingOf(bytes)).decode(bytes));
  parser.end();
}

function encodingOf(start: Uint8Array): string {
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le';
  if (start[0] === 0xfe && start[1] === 0xff) return 'utf-16be';
  return 'utf-8';
}

function endOfMarkup(source: string, at: number): number | undefined {
  if (source.startsWith('<!--', at)) return after(source, '-->', at + 4);
  if (source.startsWith('<![CDATA[', at)) return after(source, ']]>', at + 9);
  if (source.startsWith('<?', at)) return after(source, '?>', at + 2);
  // Not long enough to tell which one it is.
  if (source.length - at < 9 && '<![CDATA['.startsWith(source.slice(at, at + 9))) return undefined;
  return endOfTag(source, at);
}

function after(source: string, end: string, from: number): number | undefined {
  const at = source.indexOf(end, from);
  return at === -1 ? undefined : at + end.length;
}

function endOfTag(source: string, at: number): number | undefined {
  let end = source.indexOf('>', at);
  let quoteAt = firstQuote(source, at, end);
  while (end !== -1 && quoteAt !== -1) {
    const closing = source.indexOf(source.charAt(quoteAt), quoteAt + 1);
    if (closing === -1) return undefined;
    if (closing > end) end = source.indexOf('>', closing);
    quoteAt = firstQuote(source, closing + 1, end);
  }
  return end === -1 ? undefined : end + 1;
}

function firstQuote(source: string, from: number, to: number): number {
  for (let at = from; at < to; at++) {
    const code = source.charCodeAt(at);
    if (code === 34 || code === 39) return at;
  }
  return -1;
}

/** `<!DOCTYPE html>` says nothing that matters. Anything with a subset of its own declares something. */
function refuseDeclarations(doctype: string): void {
  if (/[[]/.test(doctype)) throw new Unreadable(REASONS.unsafeXml);
}

const NO_ATTRIBUTES: XmlAttributes = { get: () => undefined };
const ATTRIBUTE = /\s([^\s=]{1,200})\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

function attributesOf(source: string): XmlAttributes {
  const values = new Map<string, string>();
  for (const [, name = '', double, single] of source.matchAll(ATTRIBUTE)) {
    const value = decodeXmlReferences(double ?? single ?? '');
    values.set(name, value);
    const local = localName(name);
    if (!values.has(local)) values.set(local, value);
  }
  return { get: (name) => values.get(name) };
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
