import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  makeDocx,
  makePptx,
  makeXlsx,
  MEDIA_TYPES,
  paragraph,
  relations,
} from '../../../../test/harness/files/office.ts';
import {
  readAll,
  sample,
  startReader,
  writeFileToRead,
  type ReadText,
} from '../../../../test/harness/files/reader.ts';
import { makeZip } from '../../../../test/harness/files/zip.ts';
import { useFolder } from '../../../../test/harness/use-folder.ts';
import type { FileReader } from '../file-reader.ts';

const folder = useFolder();
let reader: FileReader;

beforeAll(() => {
  reader = startReader();
});
afterAll(() => reader.close());

async function textOf(name: string, content: string | Buffer): Promise<ReadText> {
  return readAll(reader, await writeFileToRead(folder.path, name, content));
}

describe('Word', () => {
  const row = (...cells: string[]) =>
    `<w:tr>${cells.map((cell) => `<w:tc>${paragraph(cell)}</w:tc>`).join('')}</w:tr>`;

  it('headings by their style in any language, lists, tables, breaks and notes', async () => {
    const table = `<w:tbl>${row('Plant', 'Month')}${row('Tomato', 'May')}</w:tbl>`;
    const broken =
      '<w:p><w:r><w:t>one</w:t><w:br/><w:t>two</w:t><w:tab/><w:t>three</w:t></w:r></w:p>';
    const body =
      paragraph('Garden', 'Titel') +
      paragraph('Spring &amp; summer', 'berschrift2') +
      paragraph('Carrots', 'Liste') +
      table +
      broken;
    const notes = `<w:footnotes xmlns:w="w">${paragraph('A note below.')}</w:footnotes>`;
    const { text, status, pages } = await textOf(
      'a.docx',
      makeDocx(body, { 'word/footnotes.xml': notes }),
    );
    expect({ status, pages }).toEqual({ status: 'READY', pages: 1 });
    expect(text).toBe(
      '# Garden\n\n## Spring & summer\n\n- Carrots\n\nPlant | Month\nTomato | May\n\none\ntwo\tthree\n\nA note below.',
    );
  });

  it('text boxes once, and nothing that was deleted', async () => {
    const box = `<w:txbxContent>${paragraph('In a box')}</w:txbxContent>`;
    const body =
      `<w:p><w:r><mc:AlternateContent xmlns:mc="m"><mc:Choice>${box}</mc:Choice><mc:Fallback>${box}</mc:Fallback></mc:AlternateContent></w:r></w:p>` +
      '<w:p><w:del><w:r><w:delText>old</w:delText></w:r></w:del><w:ins><w:r><w:t>new</w:t></w:r></w:ins></w:p>';
    expect((await textOf('b.docx', makeDocx(body))).text).toBe('In a box\n\nnew');
  });

  it('numbers that Word counts, notes where they belong, merged cells, and no text twice that was moved', async () => {
    const listed = (text: string, depth: number, list = 1) =>
      `<w:p><w:pPr><w:numPr><w:ilvl w:val="${depth}"/><w:numId w:val="${list}"/></w:numPr></w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`;
    const level = (depth: number, format: string, label: string) =>
      `<w:lvl w:ilvl="${depth}"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${label}"/></w:lvl>`;
    const numbering = `<w:numbering xmlns:w="w"><w:abstractNum w:abstractNumId="7">${level(0, 'decimal', '%1.')}${level(1, 'lowerLetter', '%1.%2)')}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="7"/></w:num></w:numbering>`;
    const cell = (text: string, properties = '') =>
      `<w:tc><w:tcPr>${properties}</w:tcPr>${paragraph(text)}</w:tc>`;
    const table = `<w:tbl><w:tr>${cell('Bella', '<w:vMerge w:val="restart"/>')}${cell('IT')}</w:tr><w:tr>${cell('', '<w:vMerge/>')}${cell('MT')}</w:tr></w:tbl>`;
    const moved = '<w:moveFrom><w:r><w:t>gone</w:t></w:r></w:moveFrom>';
    const body =
      listed('Terms', 0) +
      listed('Notice', 1) +
      listed('Costs', 1) +
      listed('Law', 0) +
      table +
      `<w:p>${moved}<w:r><w:t>End</w:t><w:footnoteReference w:id="2"/></w:r></w:p>`;
    const more = {
      'word/numbering.xml': numbering,
      'word/footnotes.xml': `<w:footnotes xmlns:w="w"><w:footnote w:id="2">${paragraph('Below.')}</w:footnote></w:footnotes>`,
      'word/_rels/document.xml.rels': relations({
        R1: ['numbering', 'numbering.xml'],
        R2: ['footnotes', 'footnotes.xml'],
      }),
    };
    const { text } = await textOf('n.docx', makeDocx(body, more));
    expect(text).toBe(
      '1. Terms\n  1.a) Notice\n  1.b) Costs\n2. Law\n\nBella | IT\nBella | MT\n\nEnd[^1]\n\n[^1]: Below.',
    );
  });

  it('pages of about 3,000 characters, and from any of them on', async () => {
    const body = Array.from({ length: 200 }, (_, index) =>
      paragraph(`${index} ${'word '.repeat(20)}`),
    );
    const file = await writeFileToRead(folder.path, 'c.docx', makeDocx(body.join('')));
    const all = await readAll(reader, file);
    expect(all.pages).toBe(all.read.length);
    expect(all.read.length).toBeGreaterThan(5);
    const later = await readAll(reader, file, { from: 4 });
    expect(later.read).toEqual(all.read.slice(3));
    expect(later.pages).toBe(all.pages);
  });

  it('reads a document with macros, and not its macros', async () => {
    const file = makeDocx(paragraph('Hello'), {
      'word/vbaProject.bin': 'Sub AutoOpen() evil End Sub',
    });
    const { text, status } = await textOf('d.docm', file);
    expect({ text, status }).toEqual({ text: 'Hello', status: 'READY' });
  });
});

describe('Excel', () => {
  it('sheets of a workbook from openpyxl: rows with their headers, dates, numbers as shown', async () => {
    const { read, pages } = await readAll(reader, sample('orders.xlsx'));
    expect(pages).toBe(3);
    expect(read.map(({ text }) => text)).toEqual([
      '# Orders\nCustomer | Amount | Due\n' +
        'Customer: Mill Bakery | Amount: 1250.5 | Due: 2026-03-01\n' +
        'Customer: Harbour Café | Amount: 0.3 | Due: 2026-04-02 14:30:00',
      '# Notes\nOnly one cell',
      '',
    ]);
  });

  it('headers below a title', async () => {
    const rows = [['Sales of the harbour'], ['Customer', 'Amount'], ['Mill', '12']];
    const { text } = await textOf('title.xlsx', makeXlsx(rows));
    expect(text).toBe(
      '# Sheet1\nSales of the harbour\nCustomer | Amount\nCustomer: Mill | Amount: 12',
    );
  });

  it('a long sheet is several pages, each with its name, and rows keep their headers', async () => {
    const rows = Array.from({ length: 3000 }, (_, index) => [
      `Person ${index}`,
      `Town ${index % 7}`,
    ]);
    const { read } = await textOf('long.xlsx', makeXlsx([['Name', 'Home'], ...rows], 'People'));
    expect(read.length).toBeGreaterThan(2);
    expect(read.every(({ text }) => text.startsWith('# People\n') && text.length < 31_000)).toBe(
      true,
    );
    expect(read.at(-1)?.text).toMatch(/Name: Person 2999 \| Home: Town 3$/);
  });
});

describe('PowerPoint', () => {
  it('slides in their order with notes, each a page', async () => {
    const slides = [
      { title: 'Welcome', body: 'Agenda', notes: 'Smile.' },
      { title: 'Budget', body: '900 for the boat' },
    ];
    const { read, pages } = await textOf('a.pptx', makePptx(slides));
    expect(pages).toBe(2);
    expect(read).toEqual([
      { page: 1, pages: 2, isScanned: false, text: '# Welcome\nAgenda\n\nNotes:\nSmile.' },
      { page: 2, pages: 2, isScanned: false, text: '# Budget\n900 for the boat' },
    ]);
  });
});

describe('OpenDocument', () => {
  const NS =
    'xmlns:office="o" xmlns:text="t" xmlns:table="b" xmlns:draw="d" xmlns:presentation="p"';
  const odf = (body: string) =>
    makeZip({ 'content.xml': `<office:document-content ${NS}>${body}</office:document-content>` });

  it('a text of odfpy: headings, lists, tables', async () => {
    const { text } = await readAll(reader, sample('recipe.odt'));
    expect(text).toBe(
      '# Recipe\n\nBoil the lentils for twenty minutes.\n\n- salt\n\nSpice | Grams\nCumin | 5',
    );
  });

  it('lists in lists with their numbers, cells that span rows, and headings by their look', async () => {
    const item = (text: string, more = '') =>
      `<text:list-item><text:p>${text}</text:p>${more}</text:list-item>`;
    const body =
      '<office:automatic-styles><text:list-style style:name="L1" xmlns:style="s"><text:list-level-style-number text:level="1" style:num-format="1"/></text:list-style></office:automatic-styles>' +
      '<text:p text:style-name="Heading_20_2">Rules</text:p>' +
      `<text:list text:style-name="L1">${item('Report', `<text:list>${item('By radio')}</text:list>`)}${item('Moor')}</text:list>` +
      '<table:table><table:table-row><table:table-cell table:number-rows-spanned="2"><text:p>Bella</text:p></table:table-cell><table:table-cell><text:p>IT</text:p></table:table-cell></table:table-row><table:table-row><table:covered-table-cell/><table:table-cell><text:p>MT</text:p></table:table-cell></table:table-row></table:table>';
    const { text } = await textOf('l.odt', odf(body));
    expect(text).toBe('## Rules\n\n1. Report\n  - By radio\n2. Moor\n\nBella | IT\nBella | MT');
  });

  it('a note after its paragraph', async () => {
    const note =
      '<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>Below.</text:p></text:note-body></text:note>';
    const { text } = await textOf('n.odt', odf(`<text:p>End${note} of it</text:p>`));
    expect(text).toBe('End[^1] of it\n\n[^1]: Below.');
  });

  it('spaces, breaks and no deleted text', async () => {
    const body =
      '<text:tracked-changes><text:p>gone</text:p></text:tracked-changes><text:h text:outline-level="2">A<text:s text:c="99999999"/>B</text:h><text:p>one<text:line-break/>two</text:p>';
    const { text } = await textOf('a.odt', odf(body));
    expect(text).toBe('## A B\n\none\ntwo');
  });

  it('a sheet that says it has a million empty rows', async () => {
    const { text, pages } = await readAll(reader, sample('stock.ods'));
    expect({ text, pages }).toEqual({
      pages: 1,
      text: '# Stock\nPart | Count\nPart: Bolt | Count: 40',
    });
  });

  it('cells that are said to repeat a billion times are written a hundred times', async () => {
    const cell = (text: string) =>
      `<table:table-row table:number-rows-repeated="1000000000"><table:table-cell table:number-columns-repeated="1000000000"><text:p>${text}</text:p></table:table-cell></table:table-row>`;
    const { text, status } = await textOf(
      'b.ods',
      odf(`<table:table table:name="S">${cell('x')}</table:table>`),
    );
    expect(status).toBe('READY');
    expect(text.match(/^x \| x/gm)).toHaveLength(100);
  });

  it('slides with notes', async () => {
    const slide = (title: string, notes: string) =>
      `<draw:page><draw:frame presentation:class="title"><text:p>${title}</text:p></draw:frame><draw:frame><text:p>Body</text:p></draw:frame><presentation:notes>${notes}</presentation:notes></draw:page>`;
    const { read } = await textOf(
      'a.odp',
      odf(slide('One', '<text:p>Breathe.</text:p>') + slide('Two', '')),
    );
    expect(read.map(({ text }) => text)).toEqual([
      '# One\nBody\n\nNotes:\nBreathe.',
      '# Two\nBody',
    ]);
  });

  it('says that one needs a password', async () => {
    const manifest = '<m:manifest xmlns:m="m"><m:encryption-data/></m:manifest>';
    const file = makeZip({ 'content.xml': '\0', 'META-INF/manifest.xml': manifest });
    const { status, reason } = await textOf('locked.odt', file);
    expect({ status, reason }).toEqual({
      status: 'FAILED',
      reason: 'This file is protected with a password.',
    });
  });
});

describe('EPUB', () => {
  it('chapters of a book from EbookLib, in their order', async () => {
    const { read } = await readAll(reader, sample('lighthouse.epub'));
    expect(read.map(({ text }) => text)).toEqual([
      '# One\n\nThe keeper lit the lamp.',
      '# Two\n\nThe storm came at night.',
    ]);
  });
});

describe('HTML', () => {
  it('what people see, without scripts, and nothing runs', async () => {
    const html = `<!doctype html><html><head><title>News</title><style>p{}</style><script>alert("x<p>")</script></head>
      <body><h2>Ferry &amp; train</h2><p>First<br>second &eacute;</p><ul><li>one<li>two</ul><svg/><template>no</template>
      <table><tr><th>From<th>To</tr><tr><td><p>A</p><p>1</p></td><td>B</td></tr></table><pre>
  keep
    this</pre>a < b<!-- not this --></body>`;
    const { text } = await textOf('a.html', html);
    expect(text).toBe(
      '# News\n\n## Ferry & train\n\nFirst\nsecond é\n\n- one\n- two\n\nFrom | To\nA 1 | B\n\n  keep\n    this\n\na < b',
    );
  });

  it('lists in lists with their numbers, cells that span rows, the title once, and no navigation', async () => {
    const html = `<title>Rules</title><nav><ul><li>Home</ul></nav><h1>Rules</h1>
      <ol type="a" start="3"><li>Report<ul><li>By radio</li></ul></li><li><p>Moor</p><p>well</p></li></ol>
      <table><tr><td rowspan="2">Bella<td>IT<tr><td>MT</table><nav>`;
    const { text } = await textOf('l.html', html);
    expect(text).toBe(
      '# Rules\n\nc. Report\n  - By radio\nd. Moor\n  well\n\nBella | IT\nBella | MT',
    );
  });

  it('the encoding that it declares, or that of old pages', async () => {
    const declared = Buffer.from('<meta charset="shift_jis"><p>\x93\xfa\x96\x7b</p>', 'latin1');
    expect((await textOf('b.html', declared)).text).toBe('日本');
    expect((await textOf('c.html', Buffer.from('<p>caf\xe9</p>', 'latin1'))).text).toBe('café');
  });

  it('a megabyte of open tags in time', async () => {
    const { status } = await textOf('d.html', '<a<table><tr><td>x'.repeat(60_000));
    expect(status).toBe('READY');
  });
});

describe('plain text', () => {
  it('keeps the lines of code', async () => {
    const code = 'function a() {\n\tif (b) {\n    return 1;\n  }\n}';
    expect((await textOf('a.ts', code)).text).toBe(code);
  });

  it('in UTF-8, UTF-16 with and without a mark, and Windows-1252', async () => {
    const text = 'Grüße – 5 €';
    const swapped = Buffer.from(text, 'utf16le').swap16();
    const files = {
      'utf8.txt': Buffer.from(`\u{feff}${text}`),
      'le.txt': Buffer.from(`\u{feff}${text}`, 'utf16le'),
      'no-mark.txt': Buffer.from(text, 'utf16le'),
      'be.txt': swapped,
      'windows.txt': Buffer.from('Gr\xfc\xdfe \x96 5 \x80', 'latin1'),
    };
    for (const [name, content] of Object.entries(files)) {
      expect({ name, text: (await textOf(name, content)).text }).toEqual({ name, text });
    }
  });

  it('removes what no database takes', async () => {
    expect((await textOf('b.txt', 'a\u0001b\r\nc\u001b[0m \nd')).text).toBe('ab\nc[0m\nd');
  });

  it('says that a file is not text, or is empty', async () => {
    const zeros = await textOf('c.txt', Buffer.from([1, 0, 0, 0, 2, 0, 0, 3]));
    expect(zeros.reason).toBe('This file is not text.');
    const empty = await textOf('d.txt', '');
    expect(empty).toMatchObject({ status: 'EMPTY', reason: 'This file is empty.' });
    const blank = await textOf('e.txt', ' \n\n ');
    expect(blank).toMatchObject({ status: 'EMPTY', reason: 'There is no text in this file.' });
  });

  it('rows of a CSV with their headers, quotes and other separators', async () => {
    const { text } = await textOf('a.csv', 'Name;Note\n"Ann; ""A""";"two\nlines"\nBob;\n');
    expect(text).toBe('Name | Note\nName: Ann; "A" | Note: two lines\nName: Bob');
  });

  it('data on one line is laid out', async () => {
    const { text } = await textOf('a.json', JSON.stringify({ list: Array(500).fill('word') }));
    expect(text.split('\n').length).toBeGreaterThan(500);
  });
});

describe('other types', () => {
  it('says what can’t be read, and what is not what it claims to be', async () => {
    const path = `${folder.path}/a.bin`;
    await writeFile(path, 'x');
    const unknown = await readAll(reader, {
      path,
      name: 'a.bin',
      mediaType: 'application/x-thing',
    });
    expect(unknown.reason).toBe('Text can’t be read from files of this type.');
    const other = await textOf('not.docx', makeZip({ 'hello.txt': 'x' }));
    expect(other.reason).toBe('This file is not what its name says, so it could not be read.');
    expect((await textOf('text.docx', 'just text')).reason).toMatch(/^This file is damaged/);
  });

  it('an office document in the container of encrypted ones', async () => {
    const container = Buffer.concat([
      Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]),
      Buffer.alloc(504),
      Buffer.from('EncryptedPackage', 'utf16le'),
    ]);
    const path = `${folder.path}/locked.docx`;
    await writeFile(path, container);
    const locked = await readAll(reader, {
      path,
      name: 'locked.docx',
      mediaType: MEDIA_TYPES.docx,
    });
    expect(locked.reason).toBe('This file is protected with a password.');
  });

  it('throws if the file is not there, so that it is tried again', async () => {
    const file = { path: `${folder.path}/gone.txt`, name: 'gone.txt', mediaType: 'text/plain' };
    await expect(readAll(reader, file)).rejects.toThrow('ENOENT');
  });
});
