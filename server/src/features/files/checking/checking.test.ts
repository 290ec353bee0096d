import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import sharp from 'sharp';
import { dataOf, problemsOf, reasonOf } from '../../../../test/harness/clients/envelope.ts';
import { addFile, uploadFile, waitForCheck } from '../../../../test/harness/clients/uploads.ts';
import { makeDocx, paragraph } from '../../../../test/harness/files/office.ts';
import { lines, makePdf } from '../../../../test/harness/files/pdf.ts';
import { useFolder } from '../../../../test/harness/use-folder.ts';
import { useServerWithOrg } from '../../../../test/harness/processes/use-test-org.ts';

const folder = useFolder();
const { server, call, org } = useServerWithOrg(async () => ({
  worker: true,
  env: { DATA_DIR: folder.path },
}));
const me = () => ({ call, key: org.member.key });
let projectId: string;

beforeAll(async () => {
  projectId = dataOf(await call('POST', '/api/projects', org.owner, { name: 'Checked' })).id;
});

const add = (bytes: Uint8Array, name: string, mediaType?: string) =>
  addFile(me(), { projectId, bytes, name, ...(mediaType !== undefined && { mediaType }) });

async function download(path: string): Promise<{ status: number; type: string; bytes: Buffer }> {
  const response = await fetch(`${server.origin}/api/files/${path}`, {
    headers: { authorization: `Bearer ${org.member.key}` },
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, type: response.headers.get('content-type') ?? '', bytes };
}

/** The objects of the org, without previews. */
async function stored(): Promise<string[]> {
  const names = await readdir(join(folder.path, 'files', org.orgId));
  return names.filter((name) => !name.includes('.'));
}

function photo(format: 'jpeg' | 'png'): Promise<Buffer> {
  const picture = sharp({ create: { width: 40, height: 20, channels: 3, background: '#cc0000' } })
    .withExif({ IFD0: { Make: 'Camera of Ada' }, IFD3: { GPSLatitude: '52/1 30/1 0/1' } })
    .withMetadata({ orientation: 6 });
  return picture.toFormat(format).toBuffer();
}

describe('a picture', () => {
  it.each(['jpeg', 'png'] as const)(
    '%s: is turned upright and loses what is only about it',
    async (format) => {
      const bytes = await photo(format);
      const before = (await stored().catch(() => [])).length;
      const file = await add(bytes, `photo.${format}`, 'text/plain');
      expect(file).toMatchObject({
        status: 'READY',
        mediaType: `image/${format}`,
        text: expect.stringMatching(/PENDING|READY|EMPTY|FAILED/),
      });
      const content = await download(`${file.id}/content`);
      expect(content.bytes.length).toBe(file.size);
      const { width, height, exif, orientation } = await sharp(content.bytes).metadata();
      expect(exif).toBeUndefined();
      expect(orientation ?? 1).toBe(1);
      expect(file.image).toEqual({ width, height });
      if (format === 'jpeg') expect(file.image).toEqual({ width: 20, height: 40 });
      expect(content.bytes.includes('Camera of Ada')).toBe(false);
      // What was uploaded is gone.
      await expect.poll(async () => (await stored()).length).toBe(before + 1);
    },
  );

  it('is no picture if it cannot be shown', async () => {
    const broken = (await photo('png')).fill(0x55, 40);
    const file = await add(broken, 'x.png', 'image/png');
    expect(file).toMatchObject({
      status: 'READY',
      mediaType: 'application/octet-stream',
      image: null,
    });
  });

  it('has previews of the width that is asked for, which are kept', async () => {
    const bytes = await sharp({
      create: { width: 900, height: 300, channels: 3, background: '#00cc00' },
    })
      .png()
      .toBuffer();
    const { id } = await add(bytes, 'wide.png');
    for (const width of [16, 320, 320, 333]) {
      const preview = await download(`${id}/preview?width=${width}`);
      expect([preview.status, preview.type]).toEqual([200, 'image/webp']);
      expect((await sharp(preview.bytes).metadata()).width).toBe(width);
    }
    const names = await readdir(join(folder.path, 'files', org.orgId));
    expect(names.filter((name) => name.includes('.'))).toHaveLength(1);
    await call('DELETE', `/api/files/${id}`, org.member);
    const left = await readdir(join(folder.path, 'files', org.orgId));
    expect(left.filter((name) => name.includes('.'))).toEqual([]);
  });

  it('400 and 404: a width, or a page, that there is none of', async () => {
    const { id } = await add(await photo('png'), 'photo.png');
    for (const [query, problem] of [
      ['width=15', 'query.width too_small'],
      ['width=2049', 'query.width too_big'],
      ['page=0', 'query.page too_small'],
    ]) {
      const reply = await call('GET', `/api/files/${id}/preview?${query}`, org.member);
      expect(problemsOf(reply)).toEqual([problem]);
    }
    expect((await download(`${id}/preview?page=2`)).status).toBe(404);
    const text = await add(Buffer.from('no picture'), 'a.txt');
    expect((await download(`${text.id}/preview`)).status).toBe(404);
  });
});

describe('a document', () => {
  it('PDF: has pages, and previews of each', async () => {
    const bytes = makePdf([1, 2].map((page) => ({ texts: lines([`Page ${page}`]) })));
    const file = await add(bytes, 'report.pdf');
    expect(file).toMatchObject({ mediaType: 'application/pdf', pages: 2, size: bytes.length });
    const content = await call('GET', `/api/files/${file.id}/content`, org.member);
    expect(content.headers.get('content-disposition')).toMatch(/^inline;/);
    const pages = await Promise.all(
      [1, 2].map((page) => download(`${file.id}/preview?width=320&page=${page}`)),
    );
    expect(pages.map(({ status }) => status)).toEqual([200, 200]);
    expect(pages[0]?.bytes.equals(pages[1]?.bytes ?? Buffer.alloc(0))).toBe(false);
    expect((await download(`${file.id}/preview?width=320&page=3`)).status).toBe(404);
  });

  it('Word: is told from its content', async () => {
    const file = await add(makeDocx(paragraph('Hello')), 'letter', 'image/png');
    expect(file.mediaType).toBe(
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    );
  });
});

describe('bytes that are lost', () => {
  it('FAILED, with what to do', async () => {
    const { id } = await uploadFile(me(), { projectId, bytes: Buffer.from('here'), name: 'a.txt' });
    const file = await waitForCheck(me(), id);
    await server.db.query(
      `UPDATE files SET status = 'CHECKING', storage_key = $2, updated_at = now() - interval '1 day'
       WHERE id = $1`,
      [id, `${org.orgId}/none`],
    );
    await server.db.query(
      `INSERT INTO jobs (kind, payload, run_at)
       VALUES ('check-file', jsonb_build_object('orgId', $1::text, 'fileId', $2::text), now())`,
      [org.orgId, file.id],
    );
    await expect
      .poll(async () => (await call('GET', `/api/files/${id}`, org.member)).json.data)
      .toMatchObject({ status: 'FAILED', reason: 'Its bytes were lost. Upload it again.' });
    expect(reasonOf(await call('GET', `/api/files/${id}/content`, org.member))).toEqual([
      409,
      'file_not_ready',
    ]);
  });
});
