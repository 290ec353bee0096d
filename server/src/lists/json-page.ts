import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { writeJson } from './json-list.ts';

/** A list as it is sent: the bytes of `data`, and a tag that differs whenever a byte does. */
export class JsonPage {
  readonly bytes: Buffer;
  readonly etag: string;

  private constructor(bytes: Buffer, etag: string) {
    this.bytes = bytes;
    this.etag = etag;
  }

  static async of(data: unknown): Promise<JsonPage> {
    const hash = createHash('sha256');
    const parts: Buffer[] = [];
    for (const [at, chunk] of (await writeJson(data)).entries()) {
      if (at > 0) await setImmediate();
      const part = Buffer.from(chunk);
      hash.update(part);
      parts.push(part);
    }
    const [bytes = Buffer.alloc(0)] = parts;
    const etag = `"${hash.digest('base64url').slice(0, 27)}"`;
    return new JsonPage(parts.length === 1 ? bytes : Buffer.concat(parts), etag);
  }
}
