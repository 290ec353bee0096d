import { access, mkdir, readlink, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { OcrData } from './protocol.ts';

const { resolve } = createRequire(import.meta.url);
/** Whole numbers: half the time of the other one, and as good. */
const VARIANT = '4.0.0_best_int';

export interface InstalledOcr {
  /** Null if there is no data for any of the languages. */
  data: OcrData | null;
  missing: string[];
}

/**
 * Data of languages comes from the packages `@tesseract.js-data/<language>`, never from the network. OCR takes it from
 * one folder, so several languages are linked in `folder`.
 */
export async function findOcrData(
  languages: readonly string[],
  folder: string,
): Promise<InstalledOcr> {
  const found = new Map<string, string>();
  for (const language of new Set(languages)) {
    const file = dataOf(language);
    const isThere =
      file !== undefined &&
      (await access(file).then(
        () => true,
        () => false,
      ));
    if (file !== undefined && isThere) found.set(language, file);
  }
  const missing = languages.filter((language) => !found.has(language));
  const [first, ...more] = found.values();
  if (first === undefined) return { data: null, missing };
  const names = [...found.keys()];
  if (more.length === 0) return { data: { languages: names, folder: dirname(first) }, missing };
  await linkIn(folder, found);
  return { data: { languages: names, folder }, missing };
}

function dataOf(language: string): string | undefined {
  try {
    const packageFile = resolve(`@tesseract.js-data/${language}/package.json`);
    return join(dirname(packageFile), VARIANT, `${language}.traineddata.gz`);
  } catch {
    return undefined;
  }
}

async function linkIn(folder: string, found: ReadonlyMap<string, string>): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [language, file] of found) {
    const link = join(folder, `${language}.traineddata.gz`);
    if ((await readlink(link).catch(() => undefined)) === file) continue;
    await rm(link, { force: true });
    await symlink(file, link);
  }
}
