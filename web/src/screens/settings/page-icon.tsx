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
import type { SETTINGS_PAGES } from './pages.ts';

/** Apart from the pages, because the router reads those on every first load. */
const ICONS: Record<(typeof SETTINGS_PAGES)[number]['to'], LucideIcon> = {
  '/settings/profile': CircleUser,
  '/settings/keys': KeyRound,
  '/settings/organisation': Building2,
  '/settings/members': Users,
  '/settings/billing': CreditCard,
  '/settings/usage': ChartColumn,
  '/settings/agents': Bot,
  '/settings/integrations': Plug,
  '/settings/chat-connections': Cable,
  '/settings/models': Boxes,
  '/settings/audit': ScrollText,
  '/settings/export': Download,
};

interface PageIconProps {
  to: keyof typeof ICONS;
  className: string;
}

export function PageIcon({ to, className }: PageIconProps) {
  const Icon = ICONS[to];
  return <Icon aria-hidden className={className} />;
}
