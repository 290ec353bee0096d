// Runs before the first paint, so that a chosen theme never flashes. Its own file: the page allows no inline script.
const chosen = localStorage.getItem('atrium.theme');
const isDark =
  chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
document.documentElement.dataset.theme = isDark ? 'dark' : 'light';
