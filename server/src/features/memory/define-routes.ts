import { defineRoute, type Route } from '../../http/route.ts';
import { presentList } from '../../lists/present.ts';
import {
  batchExample,
  createExample,
  listExample,
  memoryExample,
  presentMatches,
  presentMemory,
  presentPage,
  searchExample,
} from './present.ts';
import { requireReadableProjects, showsTheSame } from './replay.ts';
import {
  CreateMemories,
  CreateMemory,
  ListMemories,
  Memory,
  MemoryBatch,
  MemoryMatches,
  MemoryPage,
  SearchMemories,
  UpdateMemory,
  type MemoryPath,
  type V1MemoryPath,
} from './schema.ts';
import {
  createMemories,
  createMemory,
  deleteMemory,
  getMemory,
  listMemories,
  prepareMemories,
  prepareMemory,
  searchMemories,
  updateMemory,
} from './service.ts';

interface Operation {
  operationId: string;
  description: string;
  extension?: boolean;
}

type OperationName = 'list' | 'create' | 'createMany' | 'get' | 'update' | 'delete' | 'search';

/** How v2 and v1 differ: who calls, the paths, and what the documentation says. */
interface MemoryApi extends Record<OperationName, Operation> {
  auth: 'user' | 'org-key';
  path: string;
  memoryPath: string;
  params: typeof MemoryPath | typeof V1MemoryPath;
}

/** The memory operations, which v2 and v1 share. */
export function defineMemoryRoutes(api: MemoryApi): Route[] {
  const read = { tag: 'Memory', auth: api.auth, scope: 'memory:read', limit: 'read' } as const;
  const write = { tag: 'Memory', auth: api.auth, scope: 'memory:write', limit: 'write' } as const;
  return [
    defineRoute({
      ...api.list,
      ...read,
      method: 'GET',
      path: api.path,
      summary: 'List memories',
      request: { query: ListMemories },
      response: MemoryPage,
      example: listExample,
      handler: async (ctx, { query }) => presentPage(await listMemories(ctx, query)),
    }),
    defineRoute({
      ...api.create,
      ...write,
      method: 'POST',
      path: api.path,
      summary: 'Create a memory',
      request: { body: CreateMemory },
      status: 201,
      response: Memory,
      example: createExample,
      mayReplay: (ctx, { body }) => requireReadableProjects(ctx, [body]),
      prepare: (ctx, { body }) => prepareMemory(ctx, body.content),
      handler: async (ctx, { body }, prepared) =>
        presentMemory(await createMemory(ctx, body, prepared)),
    }),
    defineRoute({
      ...api.createMany,
      ...write,
      method: 'POST',
      path: `${api.path}/batch`,
      summary: 'Create many memories',
      extension: true,
      request: { body: CreateMemories },
      status: 201,
      response: MemoryBatch,
      example: batchExample,
      mayReplay: (ctx, { body }) => requireReadableProjects(ctx, body.items),
      prepare: (ctx, { body }) => prepareMemories(ctx, body.items),
      handler: async (ctx, { body }, prepared) =>
        presentList(await createMemories(ctx, body.items, prepared), presentMemory),
    }),
    defineRoute({
      ...api.get,
      ...read,
      method: 'GET',
      path: api.memoryPath,
      summary: 'Get a memory',
      request: { params: api.params },
      response: Memory,
      example: { response: memoryExample },
      handler: async (ctx, { params }) => presentMemory(await getMemory(ctx, idOf(params))),
    }),
    defineRoute({
      ...api.update,
      ...write,
      method: 'PATCH',
      path: api.memoryPath,
      summary: 'Update a memory',
      request: { params: api.params, body: UpdateMemory },
      response: Memory,
      example: {
        request: { tags: ['pricing', '2027'] },
        response: { ...memoryExample, tags: ['pricing', '2027'] },
      },
      handler: async (ctx, { params, body }) =>
        presentMemory(await updateMemory(ctx, idOf(params), body)),
    }),
    defineRoute({
      ...api.delete,
      ...write,
      method: 'DELETE',
      path: api.memoryPath,
      summary: 'Delete a memory',
      request: { params: api.params },
      status: 204,
      handler: (ctx, { params }) => deleteMemory(ctx, idOf(params)),
    }),
    defineRoute({
      ...api.search,
      ...read,
      method: 'POST',
      path: `${api.path}/search`,
      summary: 'Search memories',
      request: { body: SearchMemories },
      response: MemoryMatches,
      example: searchExample,
      mayReplay: async (ctx, { body }, shown) => !shown || showsTheSame(ctx, body, shown),
      prepare: (ctx, { body }) => searchMemories(ctx, body),
      handler: async (_ctx, _input, result) => presentMatches(result),
    }),
  ];
}

/** v2 names the path parameter `memoryId`, v1 `id`. */
function idOf(params: { memoryId: string } | { id: string }): string {
  return 'id' in params ? params.id : params.memoryId;
}
