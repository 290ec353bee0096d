import { describe, expect, it } from 'vitest';
import { createXmlParser, readXml, type XmlHandler } from './xml-reader.ts';

function recorder(): { events: string[]; handler: XmlHandler } {
  const events: string[] = [];
  const text: string[] = [];
  const flush = () => {
    if (text.length > 0) events.push(text.splice(0).join(''));
  };
  const handler: XmlHandler = {
    open(name, attributes) {
      flush();
      events.push(`<${name} ${attributes.get('r:id') ?? attributes.get('id') ?? ''}>`);
    },
    close(name) {
      flush();
      events.push(`</${name}>`);
    },
    text: (more) => void text.push(more),
  };
  return { events, handler };
}

function eventsOf(...chunks: string[]): string[] {
  const { events, handler } = recorder();
  const parser = createXmlParser(handler);
  for (const chunk of chunks) parser.write(chunk);
  parser.end();
  return events;
}

const XML = `<?xml version="1.0"?><!-- a > b --><w:doc id='1'><p id="a>b" r:id="R&#x31;"/>1 &lt; 2 &amp;amp;
<![CDATA[<raw> & &amp;]]><empty  /></w:doc>`;
const EVENTS = [
  '<doc 1>',
  '<p R1>',
  '</p>',
  '1 < 2 &amp;\n<raw> & &amp;',
  '<empty >',
  '</empty>',
  '</doc>',
];

describe('createXmlParser', () => {
  it('reads elements, attributes, references, comments and CDATA', () => {
    expect(eventsOf(XML)).toEqual(EVENTS);
  });

  it('reads the same wherever the text is divided', () => {
    for (let at = 1; at < XML.length; at++) {
      expect(eventsOf(XML.slice(0, at), XML.slice(at))).toEqual(EVENTS);
    }
    expect(eventsOf(...XML.split(''))).toEqual(EVENTS);
  });

  it('knows no other entity, and reads no file', () => {
    const declared = '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>';
    expect(() => eventsOf(declared)).toThrow('XML declarations that are not allowed');
    expect(eventsOf('<!DOCTYPE html><a>&x;</a>')).toEqual(['<a >', '&x;', '</a>']);
  });

  it('does not laugh a billion times', () => {
    const declared = '<!DOCTYPE a [<!ENTITY b "ha"><!ENTITY c "&b;&b;&b;">]><a>&c;</a>';
    expect(() => eventsOf(declared)).toThrow('XML declarations that are not allowed');
  });

  it('refuses what is not closed, closed wrongly, too deep, or one tag without an end', () => {
    for (const xml of [
      '<a>',
      '<a></b>',
      '<a',
      '<a>'.repeat(2000),
      `<a b="${'x'.repeat(2 ** 21)}`,
    ]) {
      expect(() => eventsOf(xml)).toThrow('damaged');
    }
  });

  it('reads a long tag in time', () => {
    const started = process.cpuUsage();
    expect(() => eventsOf(`<a ${'b '.repeat(400_000)}/>`)).not.toThrow();
    expect(() => eventsOf(`<a ${'b'.repeat(900_000)}/>`)).not.toThrow();
    expect(process.cpuUsage(started).user).toBeLessThan(2_000_000);
  });
});

describe('readXml', () => {
  it('reads UTF-16, and characters that are divided between chunks', async () => {
    const utf8 = Buffer.from('<a>é€😀</a>');
    const utf16 = Buffer.from('\u{feff}<a>é€😀</a>', 'utf16le');
    for (const bytes of [utf8, utf16]) {
      async function* chunks() {
        for (let at = 0; at < bytes.length; at += 3) yield bytes.subarray(at, at + 3);
      }
      const read: string[] = [];
      const handler = (emit: (text: string) => void): XmlHandler => ({ text: emit });
      for await (const text of readXml(chunks(), handler)) read.push(text);
      expect(read.join('')).toBe('é€😀');
    }
  });
});
