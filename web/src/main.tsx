import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { PartNotLoaded } from './data/parts.ts';
import { createQueryClient } from './data/query-client.ts';
import { createAppRouter } from './router.tsx';
import { Toasts } from './ui/layers/toast.tsx';
import { TooltipLayer } from './ui/layers/tooltip.tsx';
import './styles.css';

const queryClient = createQueryClient();
const router = createAppRouter();

const root = createRoot(document.querySelector('#root') as HTMLElement, {
  // A lost connection isn’t the app’s fault, and the page says what happened.
  onCaughtError(error) {
    if (!(error instanceof PartNotLoaded)) reportError(error);
  },
});
root.render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
      <Toasts />
      <TooltipLayer />
    </QueryClientProvider>
  </StrictMode>,
);
