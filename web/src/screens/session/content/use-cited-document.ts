import { keys } from '../../../data/query-keys.ts';
import { orNull, useFetched } from '../../../data/use-fetched.ts';

/** Null if it was deleted, or this person may not see it. */
export function useCitedDocument(documentId: string, isNeeded = true) {
  return useFetched(
    (orgId) => [...keys.files(orgId), 'document', documentId],
    ({ client }, options) => orNull(() => client.documents.get(documentId, options)),
    { staleTime: 60_000, enabled: isNeeded },
  );
}
