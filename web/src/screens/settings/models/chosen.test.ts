import { expect, it } from 'vitest';
import { matching, newDraft, slugOf } from './chosen.ts';

it.each([
  ['gpt-5.6-terra', 'gpt-5.6-terra'],
  ['meta-llama/Llama-3.2-90B:free', 'llama-3.2-90b:free'],
  ['qwen3:8b', 'qwen3:8b'],
  ['ft:gpt 4.', 'ft:gpt-4'],
  ['.hidden:', 'hidden'],
])('a model is mentioned by the last part of its name: %s', (model, slug) => {
  expect(slugOf(model)).toBe(slug);
});

it('two models of the same name get different mentions', () => {
  const first = newDraft('a/llama', []);
  expect([first.slug, newDraft('b/llama', [first]).slug]).toEqual(['llama', 'llama-2']);
});

it('finds models by all words, in their own and their shown names', () => {
  const offered = [
    { model: 'claude-sonnet-5-5', displayName: 'Claude Sonnet 5.5' },
    { model: 'claude-haiku-5-5', displayName: 'Claude Haiku 5.5' },
  ];
  expect(matching(offered, 'sonnet 5.5').map(({ model }) => model)).toEqual(['claude-sonnet-5-5']);
  expect(matching(offered, '')).toHaveLength(2);
});
