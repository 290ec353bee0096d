import type { Session } from '@atrium/sdk';
import { useMemo } from 'react';
import {
  useAgentsIn,
  useIntegrations,
  useMembers,
  useModels,
  useProjectMembers,
} from '../../../data/queries.ts';
import { useWorkspace } from '../../../data/workspace.tsx';
import { useSession } from '../session-context.ts';
import {
  findMentionQuery,
  listSuggestions,
  matchSuggestions,
  type Suggestion,
} from './mentions.ts';
import { useBroadcastRule, useReachCounts } from './use-broadcasts.ts';
import { useSuggestionMenu } from './use-suggestion-menu.ts';

const NONE: never[] = [];

/** Suggestions while an @ is being typed. `replace` replaces a range with a text. */
export function useMentionMenu(
  text: string,
  caret: number | null,
  replace: (from: number, to: number, text: string) => void,
  mentionable: Mentionable,
) {
  const typed = caret === null ? undefined : findMentionQuery(text, caret);
  const query = typed?.query;
  const counts = useReachCounts(query !== undefined && /^(?:he|ev)/i.test(query));
  const all = useMemo(() => {
    const { groups, ...others } = mentionable;
    return listSuggestions({ ...others, groups: { ...groups, counts } });
  }, [mentionable, counts]);
  const suggestions = useMemo(
    () => (query === undefined ? NONE : matchSuggestions(all, query)),
    [all, query],
  );

  function choose(suggestion: Suggestion) {
    if (!typed || caret === null || !isChoosable(suggestion)) return;
    // If chosen in the middle of a word, the rest of the word goes too.
    const rest = /^[\p{L}\p{M}\p{N}._:-]*/u.exec(text.slice(caret))?.[0].length ?? 0;
    const space = text.slice(caret + rest).startsWith(' ') ? '' : ' ';
    replace(typed.from, caret + rest, suggestion.text + space);
  }

  const menu = useSuggestionMenu({ from: typed?.from, suggestions, isChoosable, choose });
  /** The text without the mention that is being chosen. */
  const settled =
    typed && caret !== null && menu.suggestions.some(isChoosable)
      ? `${text.slice(0, typed.from)} ${text.slice(caret)}`
      : text;
  return { ...menu, settled };
}

function isChoosable({ refusal }: Suggestion): boolean {
  return refusal === undefined;
}

export type Mentionable = ReturnType<typeof useMentionable>;

/** Who and what can be mentioned here. The same object as long as nothing changes. */
export function useMentionable() {
  const { session } = useSession();
  const { projectId, model, defaultAgent } = session;
  const { data: models = NONE } = useModels();
  const agents = useAgentsIn(projectId);
  const { data: servers = NONE } = useIntegrations();
  const { profile } = useWorkspace();
  const { data: members = NONE } = useMembers();
  const { refusalOf } = useRefusals(session);
  const { refusal, isTaken } = useBroadcastRule();
  const sessionModel = model ?? defaultAgent;
  return useMemo(() => {
    const people = members.filter(({ userId }) => userId !== profile.userId);
    const groups = { refusal, isTaken };
    return { models, agents, servers, people, refusalOf, projectId, sessionModel, groups };
  }, [
    models,
    agents,
    servers,
    members,
    refusalOf,
    profile.userId,
    projectId,
    sessionModel,
    refusal,
    isTaken,
  ]);
}

/** The server tells only people who can read the session. This says beforehand who can't. */
export function useRefusals({ kind, projectId, access, participantUserIds }: Session) {
  const everyone = useMembers().data;
  const ofProject = useProjectMembers(kind === 'PROJECT' ? projectId : undefined).data;
  const inside = kind === 'PROJECT' ? ofProject : everyone;
  return useMemo(() => {
    const insiders = inside && new Set(inside.map(({ userId }) => userId));
    const participants = access === 'PARTICIPANTS' ? new Set(participantUserIds) : undefined;
    const refusalOf = (userId: string): string | undefined => {
      if (insiders?.has(userId) === false) return 'has no access to this project';
      if (participants?.has(userId) === false) {
        return kind === 'DIRECT'
          ? 'is not in this conversation'
          : 'is not a participant of this session';
      }
      return undefined;
    };
    return { refusalOf, isKnown: insiders !== undefined };
  }, [inside, kind, access, participantUserIds]);
}
