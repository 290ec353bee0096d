import {
  Bookmark,
  BookMarked,
  Inbox,
  LayoutGrid,
  ListChecks,
  MessagesSquare,
  Settings,
  TextSearch,
} from 'lucide-react';

/** The pages in the sidebar, in order. `key` opens one after `g`. */
export const MAIN_PAGES = [
  { to: '/inbox', key: 'i', label: 'Inbox', icon: Inbox },
  { to: '/', key: 'h', label: 'All projects', icon: LayoutGrid },
  { to: '/threads', key: 't', label: 'Threads', icon: MessagesSquare },
  { to: '/later', key: 'l', label: 'Later', icon: Bookmark },
  { to: '/tasks', key: 'k', label: 'My tasks', icon: ListChecks },
  { to: '/memory', key: 'm', label: 'Memory', icon: BookMarked },
  { to: '/search', key: 'f', label: 'Search', icon: TextSearch },
  { to: '/settings', key: 's', label: 'Settings', icon: Settings },
] as const;

export type MainPage = (typeof MAIN_PAGES)[number];
