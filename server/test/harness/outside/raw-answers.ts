import type { ModelConfig } from '../../../src/config/models.ts';

/** An answer as the servers write it, in one chunk. */
export function rawAnswer(provider: ModelConfig['provider'], text: string): string {
  const events =
    provider === 'anthropic'
      ? [
          {
            type: 'message_start',
            message: { id: 'm', model: 'ada-1', usage: { input_tokens: 1, output_tokens: 1 } },
          },
          { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
          { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
          { type: 'content_block_stop', index: 0 },
          {
            type: 'message_delta',
            delta: { stop_reason: 'end_turn' },
            usage: { output_tokens: 2 },
          },
          { type: 'message_stop' },
        ]
      : [{ choices: [{ index: 0, delta: { content: text }, finish_reason: 'stop' }] }];
  return events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
}

/** A call of a tool as the servers write it, except that the end of the input is missing. */
export function brokenCall(provider: ModelConfig['provider'], name: string): string {
  const input = '{"q":';
  const events =
    provider === 'anthropic'
      ? [
          { type: 'message_start', message: { usage: { input_tokens: 1, output_tokens: 1 } } },
          {
            type: 'content_block_start',
            index: 0,
            content_block: { type: 'tool_use', id: 't', name, input: {} },
          },
          {
            type: 'content_block_delta',
            index: 0,
            delta: { type: 'input_json_delta', partial_json: input },
          },
          { type: 'content_block_stop', index: 0 },
          {
            type: 'message_delta',
            delta: { stop_reason: 'tool_use' },
            usage: { output_tokens: 2 },
          },
          { type: 'message_stop' },
        ]
      : [
          {
            choices: [
              {
                index: 0,
                delta: {
                  tool_calls: [{ index: 0, id: 't', function: { name, arguments: input } }],
                },
                finish_reason: 'tool_calls',
              },
            ],
          },
        ];
  return events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
}
