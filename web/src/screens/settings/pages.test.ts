import { describe, expect, it } from 'vitest';
import { SETTINGS_PAGES, settingsPages } from './pages.ts';

describe('settings pages', () => {
  it('about chat connections are for owners and admins only', () => {
    const hidden = SETTINGS_PAGES.filter((page) => !settingsPages(false).includes(page));
    expect(hidden.map(({ to }) => to)).toEqual(['/settings/chat-connections']);
    expect(settingsPages(true)).toEqual(SETTINGS_PAGES);
  });
});
