import type { SafeFetch } from '../safe-fetch/safe-fetch.ts';

/** How chat systems are reached. */
export interface ChatGuard {
  safeFetch: SafeFetch;
  /** SLACK_API_BASE: the origin that stands in for https://slack.com. */
  slackOrigin?: string;
}
