import type { EncodedQuery } from '../text-encoder.ts';
import { type EngineInput, type EngineOutput, normalise } from './engine.ts';
import { areKnown, createTokenPack, packToken, placeTokens, wordAt } from './token-vectors.ts';
import { CLS, SEP, type TokenizedText } from './tokenizer.ts';
import { splitIntoWindows, type Window } from './windows.ts';

/** A text on its way through the engine, window by window, in any order. */
export interface TextTask {
  windows: WindowTask[];
  /** Set once the last window is done. */
  result: EncodedQuery | undefined;
}

export interface WindowTask extends EngineInput {
  /** The number of ids. */
  width: number;
  /** Takes the engine's output. True for the last window of the text. */
  finish(output: EngineOutput): boolean;
}

/**
 * A long text's vector is the mean of its windows' vectors, weighted by their tokens. Its token vectors
 * are those of all windows.
 */
export function createTextTask(text: TokenizedText, tokenDimensions: number): TextTask {
  const { places, count } = placeTokens(text);
  const pack = tokenDimensions > 0 ? createTokenPack(tokenDimensions, count) : null;
  const placed = pack ? [...places.keys()].filter((at) => places[at] !== -1) : [];
  const emphasis = new Float32Array(placed.length);
  const windows = splitIntoWindows(text);
  let vector: Float32Array | undefined;
  let open = windows.length;

  function add(window: Window, output: EngineOutput): boolean {
    vector ??= new Float32Array(output.vector.length);
    const weight = 2 + window.to - window.from;
    for (let at = 0; at < vector.length; at++) {
      vector[at] = (vector[at] as number) + weight * (output.vector[at] as number);
    }
    if (pack && output.tokens) {
      for (let token = window.keepFrom; token < window.keepTo; token++) {
        const place = places[token] as number;
        if (place < 0) continue;
        // Row 0 is [CLS].
        const start = (1 + token - window.from) * (tokenDimensions + 1);
        const end = start + tokenDimensions;
        packToken(pack, place, output.tokens.subarray(start, end));
        emphasis[place] = Math.exp(output.tokens[end] as number);
      }
    }
    open--;
    if (open > 0) return false;
    task.result = {
      vector: normalise(vector),
      tokens: pack,
      words: placed.map((at) => wordAt(text, at)),
      emphasis,
      isKnown: areKnown(text, placed),
    };
    return true;
  }

  const task: TextTask = {
    result: undefined,
    windows: windows.map((window) => ({
      width: window.to - window.from + 2,
      ids: [CLS, ...text.ids.slice(window.from, window.to), SEP],
      text: () => textOf(text, window),
      finish: (output) => add(window, output),
    })),
  };
  return task;
}

/** Windows hold whole words, so an engine's own tokenizer finds the same tokens in this. */
function textOf({ words, wordOf }: TokenizedText, { from, to }: Window): string {
  if (to === from) return '';
  return words.slice(wordOf[from], (wordOf[to - 1] as number) + 1).join(' ');
}
