import type { Readable } from 'node:stream';
import { AppError, type FieldError } from '../core/errors.ts';
import { readLines } from '../core/read-lines.ts';
import { CreateMemory, MOST_IN_BATCH } from '../features/memory/schema.ts';
import { parseJson } from '../http/input/json.ts';
import { readArguments } from '../http/input/request-input.ts';
import { InputError } from './usage.ts';

/** Memories that are written together, and the lines they come from. */
export interface LineBatch {
  first: number;
  last: number;
  memories: CreateMemory[];
}

/** As for a request body. */
const MAX_LINE_BYTES = 1024 * 1024;
/** Long texts go in smaller batches, so that the database is never held for long. */
const MAX_CHARACTERS = 100_000;

/** Reads one memory per line, with no more than a batch and a line in memory. Empty lines are skipped. */
export async function* readBatches(input: Readable): AsyncGenerator<LineBatch> {
  let batch: LineBatch | undefined;
  let characters = 0;
  let number = 0;
  for await (const { line } of readLines(input, MAX_LINE_BYTES)) {
    number++;
    if (line.length > MAX_LINE_BYTES) {
      throw new InputError(`Line ${number}: it is longer than ${MAX_LINE_BYTES} bytes.`);
    }
    if (line.toString('latin1').trim() === '') continue;
    const memory = readMemory(line, number);
    batch ??= { first: number, last: number, memories: [] };
    batch.last = number;
    batch.memories.push(memory);
    characters += memory.content.length;
    if (batch.memories.length === MOST_IN_BATCH || characters > MAX_CHARACTERS) {
      yield batch;
      batch = undefined;
      characters = 0;
    }
  }
  if (batch) yield batch;
}

function readMemory(line: Buffer, number: number): CreateMemory {
  try {
    return readArguments(CreateMemory, parseJson(line));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { errors } = error.details as { errors: FieldError[] };
    const problems = errors.map(({ location, message }) => `${fieldOf(location)}${message}`);
    throw new InputError(`Line ${number}: ${problems.join('; ')}.`);
  }
}

/** `arguments.tags[0]` becomes `tags[0] `; a problem of the whole line has no field. */
function fieldOf(location: string): string {
  const field = location.replace(/^(arguments|body)\.?/, '');
  return field === '' ? '' : `${field} `;
}
