import type { CreateKey } from '@atrium/sdk';
import type { KeyFamily } from './families.ts';

export type Scope = CreateKey['scopes'][number];

export const AREAS = [
  { area: 'projects', name: 'Projects', about: 'Projects and their members' },
  { area: 'sessions', name: 'Sessions', about: 'Sessions and the list of models' },
  { area: 'messages', name: 'Messages', about: 'Messages and reactions' },
  { area: 'memory', name: 'Memory', about: 'Memories and memory search' },
  { area: 'org', name: 'Organisation', about: 'Members, invitations, audit log' },
  { area: 'keys', name: 'API keys', about: 'Your keys and the organisation’s' },
  { area: 'billing', name: 'Billing', about: 'Plan, credits, usage' },
  { area: 'mcp', name: 'Integrations', about: 'MCP servers' },
  { area: 'agents', name: 'Agents', about: 'Agents that your team defines' },
  { area: 'notifications', name: 'Notifications', about: 'What you were told about' },
  { area: 'tasks', name: 'Tasks', about: 'Tasks and their activity' },
  { area: 'channels', name: 'Channels', about: 'Chat connections and mapped channels' },
] as const;

const ALL = AREAS.flatMap(({ area }): Scope[] => [`${area}:read`, `${area}:write`]);
const MEMORY: Scope[] = ['memory:read', 'memory:write'];

export const PRESETS: Record<KeyFamily, { name: string; scopes: Scope[] }[]> = {
  v2: [
    { name: 'Everything', scopes: ALL },
    { name: 'Read only', scopes: ALL.filter((scope) => scope.endsWith(':read')) },
    { name: 'Memory only', scopes: MEMORY },
  ],
  v1: [
    { name: 'Read and write', scopes: MEMORY },
    { name: 'Read only', scopes: ['memory:read'] },
  ],
};

export function areSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((scope) => other.includes(scope));
}

/** The preset's name if it is one, otherwise each area with what it allows. */
export function scopesInWords(scopes: readonly string[], family: KeyFamily): string {
  const preset = PRESETS[family].find((candidate) => areSame(candidate.scopes, scopes));
  if (preset) return preset.name;
  return AREAS.flatMap(({ area, name }) => {
    const rights = ['read', 'write'].filter((right) => scopes.includes(`${area}:${right}`));
    return rights.length > 0 ? [`${name}: ${rights.join(' and ')}`] : [];
  }).join(' · ');
}
