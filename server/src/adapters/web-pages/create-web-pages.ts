import type { SafeFetch } from '../safe-fetch/safe-fetch.ts';
import { decodePage } from './decode-page.ts';
import { readHead } from './read-head.ts';
import { PAGE_MS, type WebPages } from './web-pages.ts';

/** Of a page, decompressed. What a page says about itself is in its head, which some begin with long scripts. */
const READ_BYTES = 1024 * 1024;
const HEAD_END = '</head';
const HEADERS = {
  accept: 'text/html',
  // Many sites describe their pages only to those who say that they are no browser.
  'user-agent': 'Mozilla/5.0 (compatible; Atrium; link preview bot)',
};

/** `totalMs` is shorter in tests. */
export function createWebPages(safeFetch: SafeFetch, totalMs = PAGE_MS): WebPages {
  // Reading stops at the end of the head, so that pages of any length have a summary.
  const limits = { totalMs, headersMs: totalMs, maxBytes: Infinity };
  return {
    async summarise(url, signal) {
      try {
        const response = await safeFetch.fetch(url, { headers: HEADERS, signal }, limits);
        const type = response.headers.get('content-type') ?? '';
        if (response.status !== 200 || !/^\s*text\/html\s*(;|$)/i.test(type)) {
          await response.body?.cancel();
          return null;
        }
        return readHead(decodePage(await readStart(response), type), hostOf(url));
      } catch {
        signal.throwIfAborted();
        return null;
      }
    },
    close: () => safeFetch.close(),
  };
}

/** Up to the end of the head, or as much as is read of any page. */
async function readStart({ body }: Response): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  let tail = '';
  for await (const chunk of body ?? []) {
    const bytes = chunk.subarray(0, READ_BYTES - length);
    chunks.push(bytes);
    length += bytes.length;
    const text = tail + Buffer.from(bytes).toString('latin1').toLowerCase();
    if (length === READ_BYTES || text.includes(HEAD_END)) break;
    tail = text.slice(-HEAD_END.length);
  }
  return Buffer.concat(chunks);
}

function hostOf(url: string): string {
  return new URL(url).hostname.replace(/^www\./, '');
}
