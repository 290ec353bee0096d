import { AtriumError } from '@atrium/sdk';
import { toSentence } from '../text/sentence.ts';

/** The API's message for each invalid field of a form, by the field's name in the body. */
export function fieldErrors(error: unknown): Record<string, string> {
  if (!(error instanceof AtriumError) || error.code !== 'VALIDATION_ERROR') return {};
  const { errors } = error.details as { errors?: { location: string; message: string }[] };
  return Object.fromEntries(
    (errors ?? []).map(({ location, message }) => [
      location.replace(/^body\.?/, '').replace(/[.[].*$/, ''),
      toSentence(message),
    ]),
  );
}
