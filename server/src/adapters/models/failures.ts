import type { ModelConfig } from '../../config/models.ts';
import { ModelFailure } from './model.ts';
import type { ProviderFailure } from './provider-failure.ts';

type Named = Pick<ModelConfig, 'slug' | 'model'>;

const OPERATOR = 'Whoever runs this server should check';

/** In words for the person who asked: what happened, and what may help. */
export function describeProviderFailure(failure: ProviderFailure, named: Named): ModelFailure {
  const { kind, status, retryAfterMs } = failure;
  const provider = `The provider of "${named.slug}"`;
  if (kind === 'status' && status === 429) {
    return new ModelFailure(
      'rate_limited',
      `${provider} takes no more requests for now. ${whenToTry(retryAfterMs)}`,
    );
  }
  return new ModelFailure('provider_error', `${provider} ${problemOf(failure, named)}`);
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** In seconds or minutes, whichever people count such a time in. */
function whenToTry(retryAfterMs = 0): string {
  if (retryAfterMs <= 0 || retryAfterMs > DAY_MS) return 'Try again in a while.';
  const seconds = Math.ceil(retryAfterMs / 1000);
  if (seconds === 1) return 'Try again in a second.';
  if (seconds <= 120) return `Try again in ${seconds} seconds.`;
  return `Try again in ${Math.ceil(seconds / 60)} minutes.`;
}

function problemOf({ kind, status = 0, reason }: ProviderFailure, { model }: Named): string {
  if (kind === 'unreachable') return 'is out of reach. Try again in a while.';
  if (kind === 'broken') return 'broke off, or sent what is no answer. Try again.';
  if (kind === 'too_long') return 'sent more than we take. Ask for something shorter.';
  if (reason === 'context_length_exceeded' || status === 413) {
    return `finds the question and its context too long for "${model}". Ask in a new session.`;
  }
  if (status === 401 || status === 403) return `does not accept the server's key. ${OPERATOR} it.`;
  if (status === 404) return `does not know the model "${model}". ${OPERATOR} its name.`;
  if (status >= 500) return `has a failure of its own (${status}). Try again in a while.`;
  return `refuses the request (${status}). ${OPERATOR} the settings of this model.`;
}

export function timedOut({ slug }: Named): ModelFailure {
  return new ModelFailure('timeout', `"${slug}" did not answer in time. Try again in a while.`);
}

export function refused({ slug }: Named): ModelFailure {
  return new ModelFailure('refused', `"${slug}" declined to answer this. Ask in other words.`);
}

export function emptyAnswer({ slug }: Named, isOutOfTokens: boolean): ModelFailure {
  return new ModelFailure(
    'empty_answer',
    isOutOfTokens
      ? `"${slug}" used up the tokens of an answer before it wrote one. Ask for less at once.`
      : `"${slug}" returned nothing. Try again, or ask in other words.`,
  );
}
