import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  type ListResourcesResult,
  type ReadResourceResult,
  type Resource as ListedResource,
  type ResourceTemplateType,
} from '@modelcontextprotocol/server';
import type { UserContext } from '../core/context.ts';
import { requireScope } from '../http/callers/access.ts';
import { isStorable } from '../http/input/validation.ts';

const JSON_TYPE = 'application/json';
const PAGE_SIZE = 100;

/** A record that clients read by its address, such as `atrium://projects/{slug}`. */
export interface Resource {
  name: string;
  title: string;
  uriTemplate: string;
  description: string;
  scopes: readonly string[];
  /** Gets the parts of the address in the order of the template. */
  read(ctx: UserContext, ...parts: string[]): Promise<object>;
}

/** Resources that clients can list, a page at a time. */
export interface ListedResources extends Resource {
  list(
    ctx: UserContext,
    query: { page: number; limit: number },
  ): Promise<{ items: Omit<ListedResource, 'mimeType'>[]; total: number }>;
}

export function templateOf(resource: Resource): ResourceTemplateType {
  const { name, title, uriTemplate, description } = resource;
  return { name, title, uriTemplate, description, mimeType: JSON_TYPE };
}

export async function listResources(
  listed: ListedResources,
  ctx: UserContext,
  cursor: string | undefined,
): Promise<ListResourcesResult> {
  requireScopes(ctx, listed);
  const page = readCursor(cursor);
  const { items, total } = await listed.list(ctx, { page, limit: PAGE_SIZE });
  return {
    resources: items.map((item) => ({ ...item, mimeType: JSON_TYPE })),
    ...(page * PAGE_SIZE < total && { nextCursor: String(page + 1) }),
  };
}

export async function readResource(
  resources: readonly Resource[],
  ctx: UserContext,
  uri: string,
): Promise<ReadResourceResult> {
  for (const resource of resources) {
    const parts = partsOf(resource.uriTemplate, uri);
    if (!parts) continue;
    requireScopes(ctx, resource);
    const value = await resource.read(ctx, ...parts);
    return { contents: [{ uri, mimeType: JSON_TYPE, text: JSON.stringify(value, null, 2) }] };
  }
  throw new ResourceNotFoundError(uri);
}

function requireScopes({ actor }: UserContext, { scopes }: Resource): void {
  for (const scope of scopes) requireScope(actor, scope);
}

function readCursor(cursor: string | undefined): number {
  if (cursor === undefined) return 1;
  if (/^[1-9]\d{0,8}$/.test(cursor)) return Number(cursor);
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'cursor: is not from this list');
}

/** What stands in the place of each `{name}`. Undefined if the address has another form. */
function partsOf(uriTemplate: string, uri: string): string[] | undefined {
  const pattern = new RegExp(`^${uriTemplate.replaceAll(/\{\w+\}/g, '([^/?#]+)')}$`);
  const parts = pattern.exec(uri)?.slice(1).map(decodePart);
  return parts?.every((part) => part !== undefined) ? parts : undefined;
}

function decodePart(part: string): string | undefined {
  try {
    const text = decodeURIComponent(part);
    return isStorable(text) ? text : undefined;
  } catch {
    return undefined;
  }
}
