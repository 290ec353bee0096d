// Runs before the first paint, so that the wrong theme never flashes. The page's policy forbids inline scripts.
const chosen = localStorage.getItem('atrium.theme');
const isDark =
  chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
document.documentElement.dataset.theme = isDark ? 'dark' : 'light';
