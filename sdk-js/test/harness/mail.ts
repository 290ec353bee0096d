import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** The token from the newest email, once there are `count` of them. */
export async function tokenInMail(dataDir: string, count: number): Promise<string> {
  const folder = join(dataDir, 'mail');
  for (;;) {
    const files = (await readdir(folder).catch(() => []))
      .filter((file) => file.endsWith('.eml'))
      .toSorted();
    const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
    const tokens = texts.flatMap(
      (text) => /\/invite\/([\w-]+)/.exec(text.replaceAll('=\r\n', ''))?.[1] ?? [],
    );
    if (tokens.length >= count) return tokens.at(-1) ?? '';
    await sleep(50);
  }
}
