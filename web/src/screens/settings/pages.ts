import { lazyRouteComponent } from '../../data/parts.ts';

interface SettingsPage {
  to: `/settings/${string}`;
  label: string;
  group: 'you' | 'organisation';
  /** Other words that find the page in the palette. */
  keywords: string;
  /** Only owners and admins see it. */
  isForAdmins?: true;
  /** Loaded when the page is first opened. */
  component: ReturnType<typeof lazyRouteComponent>;
}

/** The pages under Settings, in order. The router, the settings navigation and the palette all read this list. */
export const SETTINGS_PAGES = [
  {
    to: '/settings/profile',
    label: 'Profile',
    group: 'you',
    keywords: 'name handle notifications password devices email theme download data delete account',
    component: lazyRouteComponent(() => import('./profile.tsx'), 'ProfileSettings'),
  },
  {
    to: '/settings/keys',
    label: 'API keys',
    group: 'you',
    keywords: 'create rotate revoke token secret',
    component: lazyRouteComponent(() => import('./keys.tsx'), 'KeySettings'),
  },
  {
    to: '/settings/organisation',
    label: 'General',
    group: 'organisation',
    keywords: 'organisation workspace rename name',
    component: lazyRouteComponent(() => import('./organisation.tsx'), 'OrganisationSettings'),
  },
  {
    to: '/settings/members',
    label: 'Members',
    group: 'organisation',
    keywords: 'people team invite invitations roles',
    component: lazyRouteComponent(() => import('./members.tsx'), 'MemberSettings'),
  },
  {
    to: '/settings/billing',
    label: 'Billing',
    group: 'organisation',
    keywords: 'plan credits top-up invoices',
    component: lazyRouteComponent(() => import('./billing.tsx'), 'BillingSettings'),
  },
  {
    to: '/settings/usage',
    label: 'Usage',
    group: 'organisation',
    keywords: 'chart credits tokens spent',
    component: lazyRouteComponent(() => import('./usage.tsx'), 'UsageSettings'),
  },
  {
    to: '/settings/agents',
    label: 'Agents',
    group: 'organisation',
    keywords: 'instructions assistants templates tools',
    component: lazyRouteComponent(() => import('./agents.tsx'), 'AgentSettings'),
  },
  {
    to: '/settings/integrations',
    label: 'Integrations',
    group: 'organisation',
    keywords: 'mcp servers tools',
    component: lazyRouteComponent(() => import('./integrations.tsx'), 'IntegrationSettings'),
  },
  {
    to: '/settings/chat-connections',
    label: 'Chat connections',
    group: 'organisation',
    isForAdmins: true,
    keywords: 'slack mattermost channels',
    component: lazyRouteComponent(() => import('./chat.tsx'), 'ChatSettings'),
  },
  {
    to: '/settings/models',
    label: 'Models',
    group: 'organisation',
    keywords: 'recall providers',
    component: lazyRouteComponent(() => import('./models.tsx'), 'ModelSettings'),
  },
  {
    to: '/settings/audit',
    label: 'Audit log',
    group: 'organisation',
    keywords: 'history changes who',
    component: lazyRouteComponent(() => import('./audit.tsx'), 'AuditSettings'),
  },
  {
    to: '/settings/export',
    label: 'Export',
    group: 'organisation',
    keywords: 'download archive data backup',
    component: lazyRouteComponent(() => import('./export.tsx'), 'ExportSettings'),
  },
] as const satisfies SettingsPage[];

export function settingsPages(isAdmin: boolean) {
  return SETTINGS_PAGES.filter((page) => isAdmin || !('isForAdmins' in page));
}
