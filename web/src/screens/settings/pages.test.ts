import { expect, it } from 'vitest';
import { SETTINGS_PAGES, settingsPages } from './pages.ts';

it('only owners and admins have the settings of chat connections', () => {
  const hidden = SETTINGS_PAGES.filter((page) => !settingsPages(false).includes(page));
  expect(hidden.map(({ to }) => to)).toEqual(['/settings/chat-connections']);
  expect(settingsPages(true)).toEqual(SETTINGS_PAGES);
});
