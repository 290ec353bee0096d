import type { wrapLanguageModel } from 'ai';

export type ProviderModel = ReturnType<typeof wrapLanguageModel>;
export type ProviderPrompt = Parameters<ProviderModel['doStream']>[0]['prompt'];
type ProviderMessage = ProviderPrompt[number];

const CACHED = { anthropic: { cacheControl: { type: 'ephemeral' } } };

/**
 * Anthropic caches a prompt only up to marks in it: after the instructions and tools, before the last
 * thing that was said to the model, which changes with each question, and after the last tool results.
 */
export function markForCache(prompt: ProviderPrompt): ProviderPrompt {
  const lastSaid = prompt.findLastIndex(({ role }) => role === 'user');
  const marked = new Set([prompt.findLastIndex(({ role }) => role === 'system'), lastSaid - 1]);
  if (prompt.at(-1)?.role === 'tool') marked.add(prompt.length - 1);
  return prompt.map((message, at) =>
    marked.has(at)
      ? { ...message, providerOptions: { ...message.providerOptions, ...CACHED } }
      : message,
  );
}

/** Some models require roles to alternate, so what one side says in a row becomes one message, with its pictures. */
export function joinTurns(prompt: ProviderPrompt): ProviderPrompt {
  const joined: ProviderMessage[] = [];
  for (const message of prompt) {
    const last = joined.at(-1);
    const text = textOf(message);
    const before = last?.role === message.role ? textOf(last) : undefined;
    if (text !== undefined && before !== undefined) {
      joined[joined.length - 1] = withText(message, `${before}\n\n${text}`);
    } else if (message.role === 'user' && last?.role === 'user') {
      joined[joined.length - 1] = { role: 'user', content: [...last.content, ...message.content] };
    } else joined.push(message);
  }
  return joined;
}

/** Undefined for a message with anything else in it, such as a tool call. */
function textOf({ role, content }: ProviderMessage): string | undefined {
  if ((role !== 'user' && role !== 'assistant') || content.length !== 1) return undefined;
  const [part] = content;
  return part?.type === 'text' ? part.text : undefined;
}

function withText(message: ProviderMessage, text: string): ProviderMessage {
  const content = [{ type: 'text' as const, text }];
  return message.role === 'assistant' ? { ...message, content } : { role: 'user', content };
}
