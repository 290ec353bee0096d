const LINE_FEED = 0x0a;

/**
 * Lines without their line feed. The last one is `isCut` if the source ends in the middle of it, or if it is
 * longer than the limit: the rest is not read then.
 */
export async function* readLines(
  source: AsyncIterable<Buffer>,
  maxBytes: number,
): AsyncGenerator<{ line: Buffer; isCut: boolean }> {
  let parts: Buffer[] = [];
  let length = 0;
  for await (const chunk of source) {
    let from = 0;
    for (let end; (end = chunk.indexOf(LINE_FEED, from)) >= 0; from = end + 1) {
      yield { line: Buffer.concat([...parts, chunk.subarray(from, end)]), isCut: false };
      parts = [];
      length = 0;
    }
    parts.push(chunk.subarray(from));
    length += chunk.length - from;
    if (length > maxBytes) break;
  }
  if (length > 0) yield { line: Buffer.concat(parts), isCut: true };
}
