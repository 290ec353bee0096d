import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createQueryClient } from './data/query-client.ts';
import { createAppRouter } from './router.tsx';
import { Toasts } from './ui/toast.tsx';
import { TooltipLayer } from './ui/tooltip.tsx';
import './styles.css';

const queryClient = createQueryClient();
const router = createAppRouter();

createRoot(document.querySelector('#root') as HTMLElement).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
      <Toasts />
      <TooltipLayer />
    </QueryClientProvider>
  </StrictMode>,
);
