import type { ModelConfig } from '../../config/models.ts';
import { ModelFailure } from './model.ts';
import type { ProviderFailure } from './provider-failure.ts';

type Named = Pick<ModelConfig, 'slug' | 'model' | 'isOfOrg'>;

/** Who can do something about it. */
function askToCheck({ isOfOrg }: Pick<Named, 'isOfOrg'>, what: string): string {
  return isOfOrg
    ? `An OWNER can check ${what} under Settings, Models.`
    : `Ask the operator of this server to check ${what}.`;
}

/** Tells the person who asked what happened and what to do. */
export function describeProviderFailure(failure: ProviderFailure, named: Named): ModelFailure {
  const { kind, status, retryAfterMs } = failure;
  const said = named.isOfOrg ? failure.said : undefined;
  const provider = `The provider of "${named.slug}"`;
  if (kind === 'status' && status === 429) {
    return new ModelFailure(
      'rate_limited',
      `${provider} accepts no more requests for now. ${whenToTry(retryAfterMs)}`,
      said,
    );
  }
  const isRejected = kind === 'status' && (status === 400 || status === 422);
  const message = `${provider} ${problemOf(failure, named)}`;
  return new ModelFailure('provider_error', message, said, isRejected);
}

/** The same for a request that asks for no answer. */
export function describeListFailure(failure: ProviderFailure): ModelFailure {
  const { kind, status = 0, said } = failure;
  const named = { slug: '', model: '', isOfOrg: true } as const;
  const problem =
    kind === 'status' && (status === 404 || status === 405)
      ? 'has no list of models at this address.'
      : problemOf(failure, named);
  return new ModelFailure('provider_error', `The provider ${problem}`, said);
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** In seconds, or in minutes if it is long. */
function whenToTry(retryAfterMs = 0): string {
  if (retryAfterMs <= 0 || retryAfterMs > DAY_MS) return 'Try again later.';
  const seconds = Math.ceil(retryAfterMs / 1000);
  if (seconds === 1) return 'Try again in a second.';
  if (seconds <= 120) return `Try again in ${seconds} seconds.`;
  return `Try again in ${Math.ceil(seconds / 60)} minutes.`;
}

function problemOf({ kind, status = 0, reason }: ProviderFailure, named: Named): string {
  const { model, isOfOrg } = named;
  if (kind === 'unreachable') return 'cannot be reached. Try again later.';
  if (kind === 'not_allowed') {
    return `is at an address that must not be called. ${askToCheck(named, 'it')}`;
  }
  if (kind === 'broken') return 'closed the connection or sent an invalid response. Try again.';
  if (kind === 'too_long') return 'sent a response that is too long. Ask for something shorter.';
  if (reason === 'context_length_exceeded' || status === 413) {
    return `says that the question and its context are too long for "${model}". Ask in a new session.`;
  }
  if (status === 401 || status === 403) {
    return `rejected the ${isOfOrg ? "organisation's" : "server's"} key. ${askToCheck(named, 'it')}`;
  }
  if (status === 404) {
    return `does not know the model "${model}". ${askToCheck(named, 'its name')}`;
  }
  if (status >= 500) return `failed (${status}). Try again later.`;
  return `rejected the request (${status}). ${askToCheck(named, 'the settings of this model')}`;
}

export function timedOut({ slug }: Named): ModelFailure {
  return new ModelFailure('timeout', `"${slug}" did not answer in time. Try again later.`);
}

export function refused({ slug }: Named): ModelFailure {
  return new ModelFailure('refused', `"${slug}" declined to answer this. Try to rephrase it.`);
}

export function emptyAnswer({ slug }: Named, isOutOfTokens: boolean): ModelFailure {
  return new ModelFailure(
    'empty_answer',
    isOutOfTokens
      ? `"${slug}" used all its tokens before it wrote an answer. Ask for less at once.`
      : `"${slug}" returned an empty answer. Try again, or rephrase the question.`,
  );
}
