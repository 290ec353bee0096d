import { describe, expect, it } from 'vitest';
import { joinDeltas } from './join-deltas.ts';

const openAi = (delta: object, more: object = {}) =>
  `data: ${JSON.stringify({ id: 'c1', choices: [{ index: 0, delta, finish_reason: null, ...more }] })}`;
const anthropic = (text: string, index = 0) =>
  `event: content_block_delta\ndata: ${JSON.stringify({ type: 'content_block_delta', index, delta: { type: 'text_delta', text } })}`;

describe('events that only add text', () => {
  it.each([
    ['content of OpenAI', (text: string) => openAi({ content: text })],
    ['thoughts', (text: string) => openAi({ reasoning_content: text })],
    ['text of Anthropic', (text: string) => anthropic(text)],
  ])('are joined: %s', (_, event) => {
    expect(joinDeltas([event('a '), event('"b"\n'), event('💥')])).toEqual([event('a "b"\n💥')]);
  });

  it('are not joined to a text that is long already', () => {
    const long = openAi({ content: 'x'.repeat(1_000) });
    expect(joinDeltas([long, openAi({ content: 'y' })])).toEqual([long, openAi({ content: 'y' })]);
  });
});

it.each([
  ['another choice', openAi({ content: 'a' }, { index: 1 })],
  ['another block', anthropic('a', 1)],
  ['thoughts between words', openAi({ reasoning_content: 'a' })],
  ['the last one', openAi({ content: 'a' }, { finish_reason: 'stop' })],
  ['probabilities', openAi({ content: 'a' }, { logprobs: {} })],
  ['a role', openAi({ role: 'assistant', content: 'a' })],
  ['a tool call', openAi({ tool_calls: [{ index: 0, function: { arguments: '{' } }] })],
  ['usage', 'data: {"choices":[{"index":0,"delta":{"content":"a"}}],"usage":{}}'],
  ['no choices', 'data: {"choices":[]}'],
  ['text that is none', openAi({ content: null })],
  ['an end', 'data: [DONE]'],
  ['a comment', ': keep-alive'],
  ['two lines of data', 'data: {"choices":\ndata: []}'],
  ['broken JSON', 'data: {"choices":}'],
  ['null', 'data: {"choices":[null]}'],
  ['nothing', ''],
])('an event with more stays as it is, and parts its neighbours: %s', (_, event) => {
  const around = openAi({ content: 'x' });
  expect(joinDeltas([around, event, around])).toEqual([around, event, around]);
  const words = anthropic('x');
  expect(joinDeltas([words, event, words])).toEqual([words, event, words]);
});
