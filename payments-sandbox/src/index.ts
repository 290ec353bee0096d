/**
 * A payment provider for trying Atrium out: it speaks Stripe's protocol to Stripe's SDK, and no money moves.
 * Only the server's loader imports it, without Stripe and outside production.
 */
export { startSandbox, type Sandbox } from './start-sandbox.ts';
export { wasUsed } from './store.ts';
export type { SandboxHost } from './host.ts';
export type { PageResponse, SandboxPages } from './pages/pages.ts';
