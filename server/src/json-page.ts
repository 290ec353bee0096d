import { hash } from 'node:crypto';

/** A list as it is sent: the bytes of `data`, and a tag that differs whenever a byte does. */
export class JsonPage {
  readonly bytes: Buffer;
  readonly etag: string;

  constructor(data: unknown) {
    this.bytes = Buffer.from(JSON.stringify(data));
    this.etag = `"${hash('sha256', this.bytes, 'base64url').slice(0, 27)}"`;
  }
}
