import {
  contentText,
  cutText,
  startModelServer,
  type Answerer,
  type ModelServer,
  type ScriptedAnswer,
  type ScriptedUsage,
  type WireFormat,
} from './model-server.ts';

/** Speaks the wire format of Anthropic's POST /messages, streaming. Answers "Hello." by default. */
export function startAnthropicServer(
  options: { answer?: Answerer | ScriptedAnswer[] } = {},
): Promise<ModelServer> {
  return startModelServer(ANTHROPIC, options);
}

interface Body {
  model?: string;
  system?: unknown;
  messages?: { role: string; content: unknown }[];
  tools?: { name: string }[];
  tool_choice?: { type?: string };
  max_tokens?: number;
}

const STOP = { stop: 'end_turn', length: 'max_tokens', refused: 'refusal' };

const ANTHROPIC: WireFormat = {
  path: '/v1/messages',
  read(body) {
    const { model = '', system, messages = [], tools = [], tool_choice: choice } = body as Body;
    return {
      model,
      instructions: contentText(system),
      messages: messages.map(({ role, content }) => ({
        role: isToolResult(content) ? 'tool' : role,
        content: contentText(content),
      })),
      tools: tools.map(({ name }) => name),
      toolChoice: choice?.type,
      maxOutputTokens: (body as Body).max_tokens,
    };
  },
  events(answer, { model }) {
    const { text = '', chunks, reasoning, toolCalls = [], finish = 'stop' } = answer;
    const usage: ScriptedUsage = answer.usage ?? {
      inputTokens: answer.usage === null ? 0 : 11,
      outputTokens: 7,
    };
    const outputTokens = answer.usage === null ? 0 : usage.outputTokens;
    const message = {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model,
      content: [],
      stop_reason: null,
      usage: { ...inputOf(usage), output_tokens: 1 },
    };
    const reason = toolCalls.length > 0 ? 'tool_use' : STOP[finish];
    const deltas = cutText(text, chunks).map((part) => ({ type: 'text_delta', text: part }));
    const blocks = [
      ...(reasoning === undefined ? [] : [thinking(reasoning)]),
      ...(text === '' ? [] : [{ start: { type: 'text', text: '' }, deltas }]),
      ...toolCalls.map(({ name, input }) => toolUse(name, input)),
    ];
    return [
      event('message_start', { message }),
      event('ping', {}),
      ...blocks.flatMap(({ start, deltas: parts }, index) => [
        event('content_block_start', { index, content_block: start }),
        ...parts.map((delta) => event('content_block_delta', { index, delta })),
        event('content_block_stop', { index }),
      ]),
      // The rest is the end of the answer, which some scripts leave out.
      [
        event('message_delta', {
          delta: { stop_reason: reason, stop_sequence: null },
          usage: { output_tokens: outputTokens },
        }),
        event('message_stop', {}),
      ].join(''),
    ];
  },
  errorEvent: event('error', { error: { type: 'overloaded_error', message: 'scripted' } }),
  errorBody: (type) => JSON.stringify({ type: 'error', error: { type, message: 'scripted' } }),
};

function event(type: string, data: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
}

/** Anthropic counts cached tokens apart from the others. */
function inputOf({ inputTokens, cachedTokens = 0 }: ScriptedUsage) {
  return { input_tokens: inputTokens - cachedTokens, cache_read_input_tokens: cachedTokens };
}

function isToolResult(content: unknown): boolean {
  return (
    Array.isArray(content) && content.some(({ type }: { type?: string }) => type === 'tool_result')
  );
}

interface Block {
  start: object;
  deltas: object[];
}

function thinking(reasoning: string): Block {
  return {
    start: { type: 'thinking', thinking: '' },
    deltas: [
      { type: 'thinking_delta', thinking: reasoning },
      { type: 'signature_delta', signature: 'scripted' },
    ],
  };
}

/** The input comes in two pieces, as it does from Anthropic. */
function toolUse(name: string, input: unknown): Block {
  const id = `toolu_${Math.random().toString(36).slice(2)}`;
  return {
    start: { type: 'tool_use', id, name, input: {} },
    deltas: cutText(JSON.stringify(input), 2).map((piece) => ({
      type: 'input_json_delta',
      partial_json: piece,
    })),
  };
}
