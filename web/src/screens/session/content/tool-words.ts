import type { ToolCall } from '@atrium/sdk';

type Call = Pick<ToolCall, 'name'> & Partial<Pick<ToolCall, 'arguments' | 'result' | 'isError'>>;

/** What an agent's own tools do: while one is used, and afterwards. */
const WORDS: Record<string, [doing: string, done: string]> = {
  search_memory: ['Searching memory', 'Searched memory'],
  search_messages: ['Searching messages', 'Searched messages'],
  search_documents: ['Searching files', 'Searched files'],
  read_document: ['Reading a file', 'Read a file'],
  remember: ['Saving to memory', 'Saved to memory'],
  list_tasks: ['Reading tasks', 'Read tasks'],
  create_task: ['Proposing a task', 'Proposed a task'],
  update_task: ['Updating a task', 'Updated a task'],
};

/** A call of an agent's own tool in words, such as "Proposed task #1". Undefined for a tool that has none. */
export function callInWords(call: Call, isUnderWay: boolean): string | undefined {
  const words = WORDS[call.name];
  if (!words) return undefined;
  const [doing, done] = words;
  if (isUnderWay) return doing;
  if (call.isError) return `${doing} failed`;
  return withTask(call, done) ?? withQuery(call, done) ?? done;
}

function withTask({ name, arguments: given, result }: Call, done: string): string | undefined {
  if (name === 'create_task') {
    const number = /#(\d+)/.exec(result ?? '')?.[1];
    if (number === undefined) return undefined;
    return result?.startsWith('Not proposed')
      ? `Found task #${number}, proposed before`
      : `Proposed task #${number}`;
  }
  const number = read(given, 'number');
  if (number === undefined) return undefined;
  return `${done.split(' ', 1)[0]} task #${number}`;
}

function withQuery({ arguments: given }: Call, done: string): string | undefined {
  const query = read(given, 'query');
  return query === undefined ? undefined : `${done} for “${query}”`;
}

function read(given: unknown, name: string): string | undefined {
  if (typeof given !== 'object' || given === null) return undefined;
  const value = (given as Record<string, unknown>)[name];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}
