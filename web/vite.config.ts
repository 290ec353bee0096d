import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Where `npm run dev` finds the server. `npm start` serves the built app itself. */
const SERVER = process.env['ATRIUM_DEV_SERVER'] ?? 'http://127.0.0.1:3000';

const KIT = /web\/src\/(data|ui)\/|lucide-react/;
/** Parts of the kit that a session doesn't need, although several other screens do. */
const OF_FEW_SCREENS =
  /\/ui\/\w+\/(card-list|choice|days|facts|filters|form|fuzzy-match|more-button|pager|passage|search-box|table|tags-field|use-settled)\.|\/icons\/(calendar-days|circle(-check|-dashed|-dot|-ellipsis|-x)?|list-tree|search-x)\./;

export default defineConfig({
  root: pathOf('.'),
  plugins: [react(), tailwindcss()],
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
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': SERVER, '/web/': SERVER, '/docs': SERVER, '/sandbox': SERVER } },
});

function pathOf(relative: string): string {
  return fileURLToPath(new URL(relative, import.meta.url));
}
