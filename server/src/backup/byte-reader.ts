/** Reads a stream in pieces of a chosen size, however it was cut into chunks. */
export class ByteReader {
  private readonly chunks: AsyncIterator<Buffer>;
  private buffered: Buffer = Buffer.alloc(0);
  private ended = false;

  constructor(source: AsyncIterable<Buffer>) {
    this.chunks = source[Symbol.asyncIterator]();
  }

  /** The next bytes, without taking them; fewer than asked for only at the end. */
  async peek(bytes: number): Promise<Buffer> {
    const parts = [this.buffered];
    let length = this.buffered.length;
    while (length < bytes && !this.ended) {
      const next = await this.chunks.next();
      if (next.done) this.ended = true;
      else {
        parts.push(next.value);
        length += next.value.length;
      }
    }
    this.buffered = parts.length > 1 ? Buffer.concat(parts, length) : this.buffered;
    return this.buffered.subarray(0, bytes);
  }

  async read(bytes: number): Promise<Buffer> {
    const found = await this.peek(bytes);
    this.buffered = this.buffered.subarray(found.length);
    return found;
  }

  async isAtEnd(): Promise<boolean> {
    return (await this.peek(1)).length === 0;
  }

  async *rest(): AsyncGenerator<Buffer> {
    while (!(await this.isAtEnd())) yield await this.read(this.buffered.length);
  }
}
