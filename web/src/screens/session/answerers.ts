import { useCallback } from 'react';
import { useAgentNames, useAgents, useIntegrations, useModels } from '../../data/queries.ts';
import { useWorkspace } from '../../data/workspace.tsx';
import { useSession } from './session-context.ts';

/** Who answers in a session. The server decides; this says beforehand what it will decide. */
export function useAnswerers() {
  const { profile } = useWorkspace();
  const { session, project } = useSession();
  const { model, defaultAgent, answersWithoutMention, participantUserIds } = session;
  const { data: models } = useModels();
  const { data: agents } = useAgents();
  const { data: servers } = useIntegrations();
  const { projectId } = session;
  const ofServer = models?.find(({ isDefault }) => isDefault)?.slug;
  const fallback = defaultAgent ?? project?.defaultAgent ?? ofServer ?? '…';
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
  /** Whether a mention makes somebody answer here. */
  const answers = useCallback(
    (slug: string) => {
      const serves = (projectIds: string[]) =>
        projectIds.length === 0 || projectIds.includes(projectId);
      return (
        slug === 'model' ||
        (models?.some((model) => model.slug === slug) ?? false) ||
        (agents?.some((one) => one.slug === slug && one.isEnabled && serves(one.projectIds)) ??
          false) ||
        (servers?.some((one) => one.mentionSlug === slug && serves(one.projectIds)) ?? false)
      );
    },
    [models, agents, servers, projectId],
  );
  /** Who answers a message that mentions nobody, if anybody does. */
  const plainAnswerer = answersWithoutMention && isAlone ? usual : undefined;
  const isLoaded = Boolean(models && agents && servers);
  return { fallback, usual, agentName, answererOf, answers, isLoaded, plainAnswerer, isAlone };
}
