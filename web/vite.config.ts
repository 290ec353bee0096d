import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** Where `npm run dev` finds the server. `npm start` serves the built app itself. */
const SERVER = process.env['ATRIUM_DEV_SERVER'] ?? 'http://127.0.0.1:3000';

const KIT = /web\/src\/(data|ui)\/|lucide-react/;
/** Parts of the kit that a session doesn't need, although several other screens do. */
const OF_FEW_SCREENS =
  /\/ui\/pickers\/|\/ui\/\w+\/(card-list|choice|day-field|days|facts|filters|form|fuzzy-match|more-button|page-edge|pager|passage|search-box|select-field|tab-links|table|tags-field|use-settled)\.|\/device\/used-emoji\.|\/icons\/(calendar-days|circle(-check|-dashed|-dot|-ellipsis|-x)?|chevrons-up-down|list-tree|search-x)\./;
/** Small files that every session loads, and other screens too: together they weigh less than one by one. */
const OF_SESSIONS =
  /server\/src\/text\/group-words\.|web\/src\/shared\/(use-following\.|person\/(person-button|status-mark)\.|files\/(addresses|attach-buttons|choose-files|file-card|file-icon|file-mark|file-words|given-files|use-adding|use-drop)\.)|web\/src\/screens\/session\/(answerers|session-context|list\/rows|composer\/(body|composers|drop-hint|fences|formatting|line-break|mentions|outbox|use-auto-height|use-broadcasts|use-given-files|use-suggestion-menu|writing-keys))\./;

export default defineConfig({
  root: pathOf('.'),
  plugins: [react(), tailwindcss(), preloadFont()],
  resolve: {
    alias: {
      '@atrium/sdk': pathOf('../sdk-js/src/index.ts'),
      'react-remove-scroll': pathOf('./src/ui/controls/not-modal.ts'),
      'aria-hidden': pathOf('./src/ui/controls/not-modal.ts'),
    },
  },
  build: {
    target: 'es2023',
    // The Content-Security-Policy forbids data: URLs for scripts and styles.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        // One file instead of thirty that each screen would request separately. What few files need,
        // such as an icon of one screen, stays with them.
        codeSplitting: {
          groups: [
            {
              name: 'kit',
              test: (id) => KIT.test(id) && !OF_FEW_SCREENS.test(id),
              minShareCount: 3,
            },
            { name: 'session-kit', test: OF_SESSIONS, minShareCount: 2 },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': SERVER, '/web/': SERVER, '/docs': SERVER, '/sandbox': SERVER } },
});

/** Text is drawn in it at once: the stylesheet that names it comes later. */
function preloadFont(): Plugin {
  return {
    name: 'preload-font',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {} }) {
        const file = Object.keys(bundle).find((name) =>
          /inter-latin-wght-normal.*\.woff2$/.test(name),
        );
        const attrs = { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: '' };
        return file
          ? [{ tag: 'link', attrs: { ...attrs, href: `/${file}` }, injectTo: 'head' }]
          : [];
      },
    },
  };
}

function pathOf(relative: string): string {
  return fileURLToPath(new URL(relative, import.meta.url));
}
