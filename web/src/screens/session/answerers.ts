import type { Session } from '@atrium/sdk';
import { useCallback, useMemo } from 'react';
import { useAgents, useModels } from '../../data/queries.ts';
import { useProjectOf } from './queries.ts';

/** Who answers in a session. The server decides; this says beforehand what it will decide. */
export function useAnswerers(slug: string, session: Session) {
  const { model, defaultAgent } = session;
  const ofProject = useProjectOf(slug, session)?.defaultAgent;
  const { data: models } = useModels();
  const { data: agents } = useAgents();
  const ofServer = models?.find(({ isDefault }) => isDefault)?.slug;
  const fallback = defaultAgent ?? ofProject ?? ofServer ?? '…';
  const usual = model ?? fallback;
  const names = useMemo(
    () => new Map((agents ?? []).map(({ slug, name }) => [slug, name])),
    [agents],
  );
  /** An agent is called what its team calls it, and a model by its slug. */
  const agentName = useCallback((slug: string) => names.get(slug) ?? slug, [names]);
  const answererOf = useCallback(
    (mention: string) => {
      const isModel = models?.some(({ slug }) => slug === mention) ?? true;
      // The session's own answers `@model`, and uses the tools of integrations.
      return agentName(isModel || names.has(mention) ? mention : usual);
    },
    [models, names, usual, agentName],
  );
  return { fallback, agentName, answererOf };
}
