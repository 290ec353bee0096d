import { defineMemoryRoutes } from './define-routes.ts';
import { MemoryPath } from './schema.ts';

export const memoryRoutes = defineMemoryRoutes({
  auth: 'user',
  path: '/memory',
  memoryPath: '/memory/{memoryId}',
  params: MemoryPath,
  list: {
    operationId: 'listMemories',
    description:
      'The memories the caller can see, newest first. Filter with `visibility`, `projectId` and `tag`; pass `nextBefore` of the last page as `before` to get the next one.',
  },
  create: {
    operationId: 'createMemory',
    description:
      'The memory can be searched as soon as it is created. A PROJECT memory needs a `projectId`, and the caller must be a member of that Project; with any other visibility, `projectId` is only a label. If the embedding model is unavailable, the memory is stored and found by its words, and embedded later.',
  },
  createMany: {
    operationId: 'createMemories',
    description:
      'Creates 1 to 100 memories, all or none. Each item has the fields of `POST /memory`, and errors name the item, such as `body.items[3].content`. It counts as one write.',
  },
  get: {
    operationId: 'getMemory',
    description: 'A memory the caller cannot see is not found.',
    extension: true,
  },
  update: {
    operationId: 'updateMemory',
    description:
      'Fields that are left out stay as they are; null clears `tags`, `sourceUrl` or `projectId`. The owner may change a memory. If others can see it, an OWNER or ADMIN may too. Only the owner may make it PRIVATE.',
    extension: true,
  },
  delete: {
    operationId: 'deleteMemory',
    description:
      'Erases the memory and everything derived from it at once. The owner may delete a memory. If others can see it, an OWNER or ADMIN may too.',
  },
  search: {
    operationId: 'searchMemories',
    description:
      'Embeds the query, searches the memories the caller can see by meaning and by words, and re-ranks the matches word by word. It counts as a read. `degraded` is true if the embedding model was unavailable and only words were compared.',
  },
});
