import { createStoredChoice } from './stored-choice.ts';
import { useStore } from '../store.ts';

/** Light, dark, or whatever the system uses. `public/theme.js` does the same before the first paint. */
export type Theme = 'light' | 'dark' | 'system';

/** Each theme, with what it is called. */
export const THEMES: Record<Theme, string> = {
  light: 'Light',
  dark: 'Dark',
  system: 'Match system',
};

const systemIsDark = matchMedia('(prefers-color-scheme: dark)');
const chosen = createStoredChoice<Theme>('atrium.theme', (stored) =>
  stored === 'light' || stored === 'dark' ? stored : 'system',
);

export function useTheme(): Theme {
  return useStore(chosen);
}

export function setTheme(theme: Theme): void {
  chosen.choose(theme === 'system' ? null : theme);
}

export function toggleTheme(): void {
  setTheme(isDark() ? 'light' : 'dark');
}

/** Whether the page is dark now, whoever chose it. */
function isDark(): boolean {
  const theme = chosen.getState();
  return theme === 'dark' || (theme === 'system' && systemIsDark.matches);
}

function applyTheme(): void {
  document.documentElement.dataset['theme'] = isDark() ? 'dark' : 'light';
}

chosen.subscribe(applyTheme);
systemIsDark.addEventListener('change', applyTheme);
// Printed without backgrounds, light text would not be seen.
addEventListener('beforeprint', () => {
  document.documentElement.dataset['theme'] = 'light';
});
addEventListener('afterprint', applyTheme);
