import { ValidationError, type AtriumError } from '@atrium/sdk';

/** Why the server does not take a file, at the file. */
export function refusalInWords(error: AtriumError): string {
  if (error.reason === 'quota_reached') return 'The organisation has no storage left.';
  const [problem] = error instanceof ValidationError ? error.errors : [];
  if (!problem) return error.message;
  const { location, message } = problem;
  if (location === 'body.size') {
    const most = /\(([\d.,]+ MB)\)/.exec(message)?.[1];
    return most === undefined ? 'The file is empty.' : `The file is larger than ${most}.`;
  }
  return location === 'body.name' ? `Its name ${message}. Rename it first.` : error.message;
}
