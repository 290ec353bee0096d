import type { Message } from '@atrium/sdk';
import { countOf } from '../../../ui/text/count-of.ts';
import { formatDuration } from './duration.ts';

const COUNT = new Intl.NumberFormat();

/** What an answer took: "1,204 tokens read, 310 written · 2 credits · 1.2 s". */
export function usageInWords({
  usage,
  status,
}: Pick<Message, 'usage' | 'status'>): string | undefined {
  if (!usage || status === 'FAILED') return undefined;
  const { inputTokens, outputTokens, credits, latencyMs } = usage;
  const facts = [
    inputTokens + outputTokens > 0 &&
      `${COUNT.format(inputTokens)} tokens read, ${COUNT.format(outputTokens)} written`,
    credits > 0 && countOf(credits, 'credit'),
    formatDuration(latencyMs),
  ];
  return facts.filter(Boolean).join(' · ');
}
