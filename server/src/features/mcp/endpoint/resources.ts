import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  type ListResourcesResult,
  type ReadResourceResult,
  type ResourceTemplateType,
} from '@modelcontextprotocol/server';
import type { UserContext } from '../../../core/context.ts';
import { requireScope } from '../../../http/callers/access.ts';
import { isStorable } from '../../../http/input/validation.ts';
import { listMessages } from '../../messages/service.ts';
import { presentProject } from '../../projects/present.ts';
import { getProjectBySlug, listProjects } from '../../projects/service.ts';
import { presentSession } from '../../sessions/present.ts';
import { getSession } from '../../sessions/service.ts';

const JSON_TYPE = 'application/json';
const PAGE_SIZE = 100;
const RECENT_MESSAGES = 50;

export const RESOURCE_TEMPLATES: ResourceTemplateType[] = [
  {
    name: 'project',
    title: 'Project',
    uriTemplate: 'atrium://projects/{slug}',
    description: 'A Project: its name, description, tags and access.',
    mimeType: JSON_TYPE,
  },
  {
    name: 'session',
    title: 'Session',
    uriTemplate: 'atrium://projects/{slug}/sessions/{sessionId}',
    description: `A session with its latest ${RECENT_MESSAGES} messages, newest first.`,
    mimeType: JSON_TYPE,
  },
];

/** Lists Projects. The tool list_sessions lists their sessions. */
export async function listResources(
  ctx: UserContext,
  cursor: string | undefined,
): Promise<ListResourcesResult> {
  requireScope(ctx.actor, 'projects:read');
  const page = readCursor(cursor);
  const { items, total } = await listProjects(ctx, { page, limit: PAGE_SIZE });
  return {
    resources: items.map(({ slug, name, description, updatedAt }) => ({
      uri: `atrium://projects/${slug}`,
      name: slug,
      title: name,
      ...(description !== null && { description }),
      mimeType: JSON_TYPE,
      annotations: { lastModified: updatedAt.toISOString() },
    })),
    ...(page * PAGE_SIZE < total && { nextCursor: String(page + 1) }),
  };
}

export async function readResource(ctx: UserContext, uri: string): Promise<ReadResourceResult> {
  const { slug, sessionId } = readUri(uri);
  const value =
    sessionId === undefined
      ? await readProject(ctx, slug)
      : await readSession(ctx, slug, sessionId);
  return { contents: [{ uri, mimeType: JSON_TYPE, text: JSON.stringify(value, null, 2) }] };
}

async function readProject(ctx: UserContext, slug: string) {
  requireScope(ctx.actor, 'projects:read');
  return presentProject(await getProjectBySlug(ctx, slug));
}

async function readSession(ctx: UserContext, slug: string, sessionId: string) {
  requireScope(ctx.actor, 'sessions:read');
  requireScope(ctx.actor, 'messages:read');
  const session = presentSession(await getSession(ctx, slug, sessionId));
  const messages = await listMessages(ctx, slug, sessionId, { limit: RECENT_MESSAGES });
  return { session, messages };
}

function readCursor(cursor: string | undefined): number {
  if (cursor === undefined) return 1;
  if (/^[1-9]\d{0,8}$/.test(cursor)) return Number(cursor);
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'cursor: is not from this list');
}

function readUri(uri: string): { slug: string; sessionId: string | undefined } {
  const [, slug, sessionId] =
    /^atrium:\/\/projects\/([^/?#]+)(?:\/sessions\/([^/?#]+))?$/.exec(uri) ?? [];
  const parts = [slug, sessionId].map(decodePart);
  if (parts[0] === undefined || (sessionId !== undefined && parts[1] === undefined)) {
    throw new ResourceNotFoundError(uri);
  }
  return { slug: parts[0], sessionId: parts[1] };
}

function decodePart(part: string | undefined): string | undefined {
  try {
    const text = part === undefined ? undefined : decodeURIComponent(part);
    return text !== undefined && isStorable(text) ? text : undefined;
  } catch {
    return undefined;
  }
}
