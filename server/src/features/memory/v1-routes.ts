import { defineMemoryRoutes } from './define-routes.ts';
import { V1MemoryPath } from './schema.ts';

/** The v1 Memory API. Its keys belong to the org, not to a person. */
export const v1MemoryRoutes = defineMemoryRoutes({
  auth: 'org-key',
  path: '/memories',
  memoryPath: '/memories/{id}',
  params: V1MemoryPath,
  list: {
    operationId: 'v1ListMemories',
    description:
      'The ORG and PROJECT memories of the whole organisation, newest first. With `visibility=PRIVATE` the list is empty, because a v1 key sees no PRIVATE memories.',
  },
  create: {
    operationId: 'v1CreateMemory',
    description:
      'The memory can be searched as soon as it is created. A PROJECT memory needs a `projectId`. PRIVATE is refused with 403, because a v1 key does not belong to a person.',
  },
  createMany: {
    operationId: 'v1CreateMemories',
    description:
      'Creates 1 to 100 memories, all or none. Each item has the fields of `POST /memories`, and errors name the item, such as `body.items[3].content`. It counts as one write.',
  },
  get: {
    operationId: 'v1GetMemory',
    description: 'An ORG or PROJECT memory of the organisation.',
  },
  update: {
    operationId: 'v1UpdateMemory',
    description:
      'Fields that are left out stay as they are; null clears `tags`, `sourceUrl` or `projectId`. A memory cannot become PRIVATE.',
  },
  delete: {
    operationId: 'v1DeleteMemory',
    description: 'Erases the memory and everything derived from it at once.',
  },
  search: {
    operationId: 'v1SearchMemories',
    description:
      'Embeds the query, searches the ORG and PROJECT memories of the organisation by meaning and by words, and re-ranks the matches word by word. It counts as a read.',
  },
});
