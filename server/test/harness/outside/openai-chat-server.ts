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

/** Speaks the wire format of OpenAI's POST /chat/completions, streaming. Answers "Hello." by default. */
export function startOpenAiChatServer(
  options: { answer?: Answerer | ScriptedAnswer[] } = {},
): Promise<ModelServer> {
  return startModelServer(OPENAI_CHAT, options);
}

interface Body {
  model?: string;
  messages?: { role: string; content: unknown }[];
  tools?: { function: { name: string } }[];
  tool_choice?: unknown;
  max_tokens?: number;
  max_completion_tokens?: number;
}

const FINISH = { stop: 'stop', length: 'length', refused: 'content_filter' };

const OPENAI_CHAT: WireFormat = {
  path: '/v1/chat/completions',
  read(body) {
    const { model = '', messages = [], tools = [], tool_choice: choice, ...rest } = body as Body;
    const said = messages.map(({ role, content }) => ({ role, content: contentText(content) }));
    return {
      model,
      instructions: said.find(({ role }) => role === 'system')?.content ?? '',
      messages: said.filter(({ role }) => role !== 'system'),
      tools: tools.map((tool) => tool.function.name),
      toolChoice: typeof choice === 'string' ? choice : undefined,
      maxOutputTokens: rest.max_completion_tokens ?? rest.max_tokens,
    };
  },
  events(answer, { model }) {
    const { text = '', chunks, reasoning, toolCalls = [], finish = 'stop' } = answer;
    const { usage = { inputTokens: 11, outputTokens: 7 } } = answer;
    const chunk = (choices: object[], rest: object = {}) =>
      event({
        id: 'chatcmpl-1',
        object: 'chat.completion.chunk',
        created: 1,
        model,
        choices,
        ...rest,
      });
    const delta = (fields: object) => chunk([{ index: 0, delta: fields, finish_reason: null }]);
    const reason = toolCalls.length > 0 ? 'tool_calls' : FINISH[finish];
    return [
      delta({ role: 'assistant', content: '' }),
      ...(reasoning === undefined ? [] : [delta({ reasoning_content: reasoning })]),
      ...cutText(text, chunks).map((content) => delta({ content })),
      ...toolCalls.flatMap(({ name, input }, index) => callDeltas(index, name, input).map(delta)),
      // The rest is the end of the answer, which some scripts leave out.
      [
        chunk([{ index: 0, delta: {}, finish_reason: reason }]),
        usage ? chunk([], { usage: usageOf(usage) }) : '',
        'data: [DONE]\n\n',
      ].join(''),
    ];
  },
  errorEvent: event({ error: { message: 'scripted', type: 'server_error', code: null } }),
  errorBody: (type) => JSON.stringify({ error: { message: 'scripted', type, code: type } }),
};

function event(data: object): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}

/** The arguments come in two pieces, as they do from OpenAI. */
function callDeltas(index: number, name: string, input: unknown): object[] {
  const [first = '', ...rest] = cutText(JSON.stringify(input), 2);
  const id = `call_${Math.random().toString(36).slice(2)}`;
  return [
    { tool_calls: [{ index, id, type: 'function', function: { name, arguments: first } }] },
    ...rest.map((piece) => ({ tool_calls: [{ index, function: { arguments: piece } }] })),
  ];
}

/** OpenAI counts cached tokens among the others. */
function usageOf({ inputTokens, outputTokens, cachedTokens = 0 }: ScriptedUsage) {
  return {
    prompt_tokens: inputTokens,
    prompt_tokens_details: { cached_tokens: cachedTokens },
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
  };
}
