import type { Session } from '@atrium/sdk';
import { useCallback } from 'react';
import { useModels } from '../../data/queries.ts';

/** Who answers in a session. The server decides; this says beforehand what it will decide. */
export function useAnswerers({ model, defaultAgent }: Session) {
  const { data: models } = useModels();
  const fallback = defaultAgent ?? models?.find(({ isDefault }) => isDefault)?.slug ?? '…';
  const usual = model ?? fallback;
  const agentName = useCallback((slug: string) => slug, []);
  const answererOf = useCallback(
    (mention: string) => {
      const isModel = models?.some(({ slug }) => slug === mention) ?? true;
      // The session's model answers for itself, and with the tools of an integration.
      return agentName(isModel ? mention : usual);
    },
    [models, usual, agentName],
  );
  return { fallback, usual, agentName, answererOf };
}
