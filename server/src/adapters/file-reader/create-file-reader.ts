import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from '../../config/config.ts';
import type { FileReader } from './file-reader.ts';
import { createLane, ProcessDied, type Lane } from './lane.ts';
import { LIMITS, type ReaderLimits } from './limits.ts';
import { findOcrData, type InstalledOcr } from './ocr-languages.ts';
import { readText } from './read-text.ts';

export interface ReaderOptions {
  /** For tests. */
  limits?: Partial<ReaderLimits>;
  /** For tests: a module that processes run instead. */
  program?: URL;
}

/** People wait for pictures, and agents for texts, not as much as for messages. */
const NICE = 5;
/** With more, OCR would hardly go on while others keep all processors busy. */
const NICER = 10;

/**
 * Three processes, each started when it is needed: pictures are waited for by people, text is not, and OCR takes
 * minutes. None of them holds up another.
 */
export function createFileReader(
  config: Pick<Config, 'dataDir' | 'files'>,
  log: Logger,
  options: ReaderOptions = {},
): FileReader {
  const limits: ReaderLimits = { ...LIMITS, ...options.limits };
  const lane = (name: string, stepMs: number, niceness: number) =>
    createLane({ name, stepMs, niceness, limits, log, program: options.program });
  const lanes = {
    pictures: lane('pictures', limits.pictureMs, NICE),
    text: lane('text', limits.stepMs, NICE),
    ocr: lane('ocr', limits.ocrStepMs, NICER),
  };
  let installed: Promise<InstalledOcr> | undefined;

  async function findOcr(): Promise<InstalledOcr> {
    const { ocrLanguages } = config.files;
    const folder = join(config.dataDir, 'ocr', ocrLanguages.join('+'));
    const found = await findOcrData(ocrLanguages, folder);
    if (found.missing.length > 0) {
      const packages = found.missing.map((language) => `@tesseract.js-data/${language}`);
      log.warn({ packages }, 'OCR languages are not installed');
    }
    return found;
  }

  return {
    async readText(file, onPage, { from = 1, signal } = {}) {
      installed ??= findOcr();
      return readText({ lanes, limits, ocr: await installed }, file, onPage, { from, signal });
    },
    async preview(file, { width, page = 1, signal }) {
      const work = { kind: 'preview', file, width, page } as const;
      const result = await unlessItDies(lanes.pictures, work, signal);
      return result?.picture ?? null;
    },
    async cleanPicture(file, copyTo, signal) {
      const result = await unlessItDies(
        lanes.pictures,
        { kind: 'clean', file, copyTo } as const,
        signal,
      );
      return result?.picture ?? null;
    },
    async countPages(file, signal) {
      const result = await unlessItDies(lanes.pictures, { kind: 'pages', file } as const, signal);
      return result?.pages ?? null;
    },
    async findOnPage(file, { page, words, signal }) {
      const work = { kind: 'find', file, page, words } as const;
      return (await unlessItDies(lanes.pictures, work, signal))?.boxes ?? [];
    },
    async close() {
      for (const one of Object.values(lanes)) one.close();
    },
  };

  /** Undefined if the process died at this file: nobody can say more about it. */
  async function unlessItDies<W extends Parameters<Lane['run']>[0]>(
    to: Lane,
    work: W,
    signal: AbortSignal | undefined,
  ) {
    for (let tried = 1; ; tried++) {
      try {
        return await to.run(work, { signal, withinMs: limits.pictureMs });
      } catch (error) {
        if (!(error instanceof ProcessDied)) throw error;
        // Somebody else may have ended it, such as the system when its memory runs out.
        if (error.why !== 'CRASH' || tried === 2) return undefined;
      }
    }
  }
}
