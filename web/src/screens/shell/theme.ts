import { createStore, useStore } from '../../data/store.ts';

/** Light, dark, or whatever the system uses. `public/theme.js` does the same before the first paint. */
export type Theme = 'light' | 'dark' | 'system';

const STORED = 'atrium.theme';
const systemIsDark = matchMedia('(prefers-color-scheme: dark)');
const chosen = createStore(readTheme());

export function useTheme(): Theme {
  return useStore(chosen);
}

export function setTheme(theme: Theme): void {
  if (theme === 'system') localStorage.removeItem(STORED);
  else localStorage.setItem(STORED, theme);
  applyTheme();
}

/** Whether the page is dark now, whoever chose it. */
export function isDark(): boolean {
  const theme = chosen.getState();
  return theme === 'dark' || (theme === 'system' && systemIsDark.matches);
}

function readTheme(): Theme {
  const stored = localStorage.getItem(STORED);
  return stored === 'light' || stored === 'dark' ? stored : 'system';
}

function applyTheme(): void {
  chosen.setState(readTheme());
  document.documentElement.dataset['theme'] = isDark() ? 'dark' : 'light';
}

systemIsDark.addEventListener('change', applyTheme);
// Printed without backgrounds, light text would not be seen.
addEventListener('beforeprint', () => {
  document.documentElement.dataset['theme'] = 'light';
});
addEventListener('afterprint', applyTheme);
// Changed in another tab.
addEventListener('storage', ({ key }) => {
  if (key === STORED || key === null) applyTheme();
});
