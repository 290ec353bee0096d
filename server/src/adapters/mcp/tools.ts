import type { RemoteTool, ToolResult } from './mcp-client.ts';

/** A server that lists more than this is refused. */
export const MOST_LISTED = 1_000;
/** More would crowd out the question, so the rest is not offered to the model. */
const MOST_OFFERED = 64;
const LARGEST_OFFER = 128 * 1024;
const LARGEST_SCHEMA = 16 * 1024;
const LONGEST_NAME = 128;
const LONGEST_DESCRIPTION = 1_024;
const LONGEST_RESULT = 20_000;

/** The tools that a model can use, as far as there is room. */
export function readTools(listed: readonly RemoteTool[]): RemoteTool[] {
  let room = LARGEST_OFFER;
  return listed
    .filter(isUsable)
    .slice(0, MOST_OFFERED)
    .map(({ name, description, inputSchema }) => ({
      name,
      description: clean(description.slice(0, LONGEST_DESCRIPTION)),
      inputSchema,
    }))
    .filter((tool) => (room -= JSON.stringify(tool).length) >= 0);
}

/** A tool whose name cannot be stored cannot be called. */
function isUsable({ name, inputSchema }: RemoteTool): boolean {
  if (name === '' || name.length > LONGEST_NAME || clean(name) !== name) return false;
  return JSON.stringify(inputSchema).length <= LARGEST_SCHEMA;
}

interface CalledTool {
  content?: readonly unknown[];
  structuredContent?: unknown;
  isError?: boolean | undefined;
}

/** The text of a result. Other content is only named. */
export function showResult({ content = [], structuredContent, isError }: CalledTool): ToolResult {
  const parts = content.map(showPart).filter((part) => part !== '');
  const text =
    parts.length > 0 || structuredContent === undefined
      ? parts.join('\n')
      : JSON.stringify(structuredContent);
  return { text: cut(clean(text)), isError: isError ?? false };
}

/** A protocol error, such as for invalid arguments. The model may fix them. */
export function showRefusal(message: string): ToolResult {
  return { text: cut(clean(message)), isError: true };
}

function showPart(part: unknown): string {
  if (typeof part !== 'object' || part === null || !('type' in part)) return '';
  if (part.type === 'text') return textOf(part);
  const resource = 'resource' in part ? textOf(part.resource) : '';
  if (part.type === 'resource' && resource !== '') return resource;
  if (part.type === 'resource_link' && 'uri' in part) return `[link: ${String(part.uri)}]`;
  return `[${String(part.type).slice(0, 40)} omitted]`;
}

function textOf(part: unknown): string {
  const hasText = typeof part === 'object' && part !== null && 'text' in part;
  return hasText && typeof part.text === 'string' ? part.text : '';
}

/** Text that every database and model accepts. */
function clean(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}

function cut(text: string): string {
  return text.length <= LONGEST_RESULT ? text : `${text.slice(0, LONGEST_RESULT).toWellFormed()} …`;
}
