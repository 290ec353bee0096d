import {
  Bot,
  Boxes,
  Building2,
  Cable,
  ChartColumn,
  CircleUser,
  CreditCard,
  Download,
  KeyRound,
  Plug,
  ScrollText,
  Users,
  type LucideIcon,
} from 'lucide-react';
import { lazyScreen } from '../../data/parts.ts';

interface SettingsPage {
  to: `/settings/${string}`;
  label: string;
  icon: LucideIcon;
  /** About the person. The others are about the organisation. */
  isPersonal?: true;
  /** Other words that find the page in the palette. */
  keywords: string;
  /** Only owners and admins see it. */
  isForAdmins?: true;
  /** Loaded when the page is first opened. */
  component: ReturnType<typeof lazyScreen>;
}

/** The pages under Settings, in order. The router, the settings navigation and the palette all read this list. */
export const SETTINGS_PAGES = [
  {
    to: '/settings/profile',
    label: 'Profile',
    icon: CircleUser,
    isPersonal: true,
    keywords: 'name handle notifications password devices email theme download data delete account',
    component: lazyScreen(() => import('./profile.tsx'), 'ProfileSettings'),
  },
  {
    to: '/settings/keys',
    label: 'API keys',
    icon: KeyRound,
    isPersonal: true,
    keywords: 'create rotate revoke token secret',
    component: lazyScreen(() => import('./keys.tsx'), 'KeySettings'),
  },
  {
    to: '/settings/organisation',
    label: 'General',
    icon: Building2,
    keywords: 'organisation workspace rename name',
    component: lazyScreen(() => import('./organisation.tsx'), 'OrganisationSettings'),
  },
  {
    to: '/settings/members',
    label: 'Members',
    icon: Users,
    keywords: 'people team invite invitations roles',
    component: lazyScreen(() => import('./members.tsx'), 'MemberSettings'),
  },
  {
    to: '/settings/billing',
    label: 'Billing',
    icon: CreditCard,
    keywords: 'plan credits top-up invoices',
    component: lazyScreen(() => import('./billing.tsx'), 'BillingSettings'),
  },
  {
    to: '/settings/usage',
    label: 'Usage',
    icon: ChartColumn,
    keywords: 'chart credits tokens spent',
    component: lazyScreen(() => import('./usage.tsx'), 'UsageSettings'),
  },
  {
    to: '/settings/agents',
    label: 'Agents',
    icon: Bot,
    keywords: 'instructions assistants templates tools',
    component: lazyScreen(() => import('./agents.tsx'), 'AgentSettings'),
  },
  {
    to: '/settings/integrations',
    label: 'Integrations',
    icon: Plug,
    keywords: 'mcp servers tools',
    component: lazyScreen(() => import('./integrations.tsx'), 'IntegrationSettings'),
  },
  {
    to: '/settings/chat-connections',
    label: 'Chat connections',
    icon: Cable,
    isForAdmins: true,
    keywords: 'slack mattermost channels',
    component: lazyScreen(() => import('./chat.tsx'), 'ChatSettings'),
  },
  {
    to: '/settings/models',
    label: 'Models',
    icon: Boxes,
    keywords: 'recall providers openai anthropic ollama key price',
    component: lazyScreen(() => import('./models.tsx'), 'ModelSettings'),
  },
  {
    to: '/settings/audit',
    label: 'Audit log',
    icon: ScrollText,
    keywords: 'history changes who',
    component: lazyScreen(() => import('./audit.tsx'), 'AuditSettings'),
  },
  {
    to: '/settings/export',
    label: 'Export',
    icon: Download,
    keywords: 'download archive data backup',
    component: lazyScreen(() => import('./export.tsx'), 'ExportSettings'),
  },
] as const satisfies SettingsPage[];

export type SettingsPath = (typeof SETTINGS_PAGES)[number]['to'];

export function settingsPages(isAdmin: boolean) {
  return SETTINGS_PAGES.filter((page) => isAdmin || !('isForAdmins' in page));
}
