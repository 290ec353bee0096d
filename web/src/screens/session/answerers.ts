import type { Session } from '@atrium/sdk';
import { useCallback } from 'react';
import { useAgentNames, useAgents, useModels } from '../../data/queries.ts';
import { useWorkspace } from '../../data/workspace.tsx';
import { useProjectOf } from './queries.ts';

/** Who answers in a session. The server decides; this says beforehand what it will decide. */
export function useAnswerers(slug: string, session: Session) {
  const { profile } = useWorkspace();
  const { model, defaultAgent, answersWithoutMention, participantUserIds } = session;
  const ofProject = useProjectOf(slug, session)?.defaultAgent;
  const { data: models } = useModels();
  const { data: agents } = useAgents();
  const ofServer = models?.find(({ isDefault }) => isDefault)?.slug;
  const fallback = defaultAgent ?? ofProject ?? ofServer ?? '…';
  const usual = model ?? fallback;
  const isAlone = participantUserIds.every((id) => id === profile.userId);
  const agentName = useAgentNames();
  const answererOf = useCallback(
    (mention: string) => {
      const isModel = models?.some(({ slug }) => slug === mention) ?? true;
      const isAgent = agents?.some(({ slug }) => slug === mention) ?? false;
      // The session's own answers `@model`, and uses the tools of integrations.
      return agentName(isModel || isAgent ? mention : usual);
    },
    [models, agents, usual, agentName],
  );
  /** Who answers a message that mentions nobody, if anybody does. */
  const plainAnswerer = answersWithoutMention && isAlone ? usual : undefined;
  return { fallback, agentName, answererOf, plainAnswerer };
}
