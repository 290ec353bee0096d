import { McpFailure } from '../../../adapters/mcp/mcp-client.ts';
import {
  ModelFailure,
  NotCovered,
  type AnswerWatcher,
  type LanguageModel,
  type Tool,
} from '../../../adapters/models/model.ts';
import { completed, failed, stopped, type Failure, type Outcome } from './outcome.ts';
import { readCitations } from '../reading/citations.ts';
import type { BuiltPrompt } from '../reading/prompt.ts';
import type { RunLimits } from './reply-job.ts';
import type { Reservation } from './reserve.ts';
import type { Answerer } from './answerer.ts';
import type { ToolWatcher } from '../tools/tool-progress.ts';
import { openTools, SourceFailure } from '../tools/tools.ts';
import { withToolResults } from '../tools/with-tool-results.ts';

/** Reasoning models count their reasoning as output. */
const MOST_OUTPUT_TOKENS = 4_096;
const MOST_TOOL_CALLS = 8;

export interface Run extends RunLimits {
  model: LanguageModel;
  prompt: BuiltPrompt;
  reservation: Reservation;
  watcher: AnswerWatcher & ToolWatcher;
  /** Tools are used on behalf of whoever asked, so only while they may read the session. */
  isAskerHere: () => Promise<boolean>;
}

/** Ends a run before its next tool is called. */
class AskerGone extends Error {}

const ASKER_GONE: Failure = {
  code: 'asker_gone',
  message: 'The person who asked can no longer read this session, so no tools are used for them.',
};

/** The fourth stop: asks the model, with the answerer's tools. What people can be told about becomes FAILED. */
export async function runAnswerer(answerer: Answerer, run: Run): Promise<Outcome> {
  const { slug, toolSources, fileTools } = answerer;
  const gone = new AbortController();
  const mayCall = async () => {
    if (!(await run.isAskerHere())) gone.abort(new AskerGone());
    return !gone.signal.aborted;
  };
  try {
    if (toolSources.length > 0 && !(await mayCall())) return failed(slug, ASKER_GONE);
    const sources = fileTools ? [...toolSources, fileTools] : toolSources;
    const open = await openTools(sources, run.signal, { watcher: run.watcher, mayCall });
    try {
      const signal = AbortSignal.any([run.signal, gone.signal]);
      const isListed = toolSources.length > 0;
      const outcome = await askModel(slug, { ...run, signal }, { tools: open.tools, isListed });
      return { ...withToolResults(outcome, open), model: run.model.slug };
    } finally {
      open.close();
    }
  } catch (error) {
    const failure = describeSource(error);
    if (!failure) throw error;
    return failed(answerer.slug, failure);
  }
}

interface GivenTools {
  tools: readonly Tool[];
  /** False if nobody asked for them. */
  isListed: boolean;
}

async function askModel(slug: string, run: Run, { tools, isListed }: GivenTools): Promise<Outcome> {
  const { model, prompt, reservation, signal, endsAt, stop, watcher } = run;
  let spent = 0;
  try {
    const generated = await model.generate(prompt, {
      signal,
      endsAt,
      stop,
      watcher,
      maxOutputTokens: MOST_OUTPUT_TOKENS,
      tools,
      maxToolCalls: MOST_TOOL_CALLS,
      cover: (mostTokens) => reservation.cover(mostTokens),
      spent: (tokens) => (spent = tokens),
    });
    const { text, inputTokens, outputTokens, truncated, isStopped } = generated;
    const { body, citations } = readCitations(text, prompt.citable);
    const written = { body: truncated ? shorten(body) : body, citations };
    return {
      ...(isStopped ? stopped(slug, written) : completed(slug, written)),
      isModelResult: !isStopped,
      inputTokens,
      outputTokens,
      credits: reservation.priceOf({ inputTokens, outputTokens }),
    };
  } catch (error) {
    // Some models take no tools. They answer from what the prompt has, as they did before.
    const isRejected = error instanceof ModelFailure && error.isRejected && spent === 0;
    if (isRejected && tools.length > 0 && !isListed) {
      return askModel(slug, run, { tools: [], isListed });
    }
    const failure = error instanceof ModelFailure ? error : describeEnd(error);
    if (!failure) throw error;
    const isModelResult = error instanceof ModelFailure;
    return { ...failed(slug, failure), isModelResult, unpaidCredits: reservation.mostFor(spent) };
  }
}

/** Why we ended a run ourselves. */
function describeEnd(error: unknown): Failure | undefined {
  if (error instanceof AskerGone) return ASKER_GONE;
  if (!(error instanceof NotCovered)) return undefined;
  const message = 'The organisation does not have enough credits. An OWNER or ADMIN can top up.';
  return { code: 'no_credits', message };
}

function describeSource(error: unknown): Failure | undefined {
  if (!(error instanceof SourceFailure)) return undefined;
  const { source, cause } = error;
  if (!(cause instanceof McpFailure)) throw cause;
  const message = `Couldn't use the MCP server @${source}: ${cause.message}.`;
  return { code: 'tool_failure', message };
}

const TRUNCATED = '\n\n*(Truncated: the answer was too long.)*';
const LONGEST_BODY = 20_000;

function shorten(body: string): string {
  return body.slice(0, LONGEST_BODY - TRUNCATED.length).toWellFormed() + TRUNCATED;
}
