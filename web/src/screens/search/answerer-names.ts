import { useMemo } from 'react';
import { useAgents, useModels } from '../../data/queries.ts';

/** Everything that can have answered, by its slug. A model has no other name. */
export function useAnswererNames(): ReadonlyMap<string, string> {
  const { data: agents } = useAgents();
  const { data: models } = useModels();
  return useMemo(
    () =>
      new Map([
        ...(agents ?? []).map(({ slug, name }) => [slug, name] as const),
        ...(models ?? []).map(({ slug }) => [slug, slug] as const),
      ]),
    [agents, models],
  );
}
