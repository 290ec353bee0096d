import { z } from 'zod';
import {
  clearable,
  continuation,
  httpUrl,
  moment,
  optional,
  pathId,
  queryInteger,
  recordId,
  tags,
  text,
  timestamp,
  trimmedText,
} from '../../core/fields.ts';

const Visibility = z.enum(['PRIVATE', 'PROJECT', 'ORG']).meta({
  id: 'Visibility',
  description:
    "Who can see it. PRIVATE: its owner only. PROJECT: the Project's members. ORG: everyone in the organisation.",
});

export const Memory = z
  .object({
    id: recordId(),
    content: z.string(),
    visibility: Visibility,
    projectId: recordId().nullable().meta({
      description: 'For PROJECT, the Project whose members can see it; otherwise a label.',
    }),
    ownerUserId: recordId().nullable().meta({ description: 'Null if a v1 key created it.' }),
    tags: z.array(z.string()),
    sourceUrl: z.string().nullable(),
    embeddingStatus: z.enum(['READY', 'PENDING']).meta({
      description:
        'PENDING until the memory is embedded. Until then it is found by its words only.',
    }),
    createdAt: timestamp(),
    updatedAt: timestamp(),
  })
  .meta({ id: 'Memory' });

export const MemoryPage = z
  .object({
    items: z.array(Memory),
    ...continuation('Pass it as `before` to get the next page.'),
  })
  .meta({ id: 'MemoryPage' });

const scoreField = (description: string) => z.number().min(0).max(1).meta({ description });

export const MemoryMatch = Memory.extend({
  score: scoreField(
    'The final score. Matches are sorted by it, and scores are comparable across searches.',
  ),
  scores: z.object({
    vector: scoreField('Similarity of meaning: the cosine of the two vectors.').nullable(),
    lexical: scoreField("The share of the query's words it contains, weighted by rarity."),
    rerank: scoreField('Similarity word by word, in context.').nullable(),
  }),
}).meta({ id: 'MemoryMatch' });

export const MemoryMatches = z
  .object({
    items: z.array(MemoryMatch),
    total: z.int(),
    degraded: z.boolean().meta({
      description: 'True if the embedding model was unavailable and only words were compared.',
    }),
  })
  .meta({ id: 'MemoryMatches' });

const content = () => text({ max: 10_000 });
const id = () => text({ max: 50 });

export const CreateMemory = z
  .strictObject({
    content: content(),
    visibility: Visibility,
    projectId: optional(id()).meta({ description: 'Required when visibility is PROJECT.' }),
    tags: optional(tags()),
    sourceUrl: optional(httpUrl()),
  })
  .refine((memory) => memory?.visibility !== 'PROJECT' || memory.projectId != null, {
    path: ['projectId'],
    params: { code: 'required' },
    message: 'is required when visibility is PROJECT',
    // Also if other fields fail, so that all errors are reported at once.
    when: () => true,
  })
  .meta({ id: 'CreateMemory' });

/** 100 short notes fit easily; 100 of the longest fill the largest body. */
export const MOST_IN_BATCH = 100;

export const CreateMemories = z
  .strictObject({ items: z.array(CreateMemory).min(1).max(MOST_IN_BATCH) })
  .meta({ id: 'CreateMemories' });

export const MemoryBatch = z
  .object({
    items: z.array(Memory).meta({ description: 'The new memories, in the order they were sent.' }),
    total: z.int(),
  })
  .meta({ id: 'MemoryBatch' });

export const UpdateMemory = z
  .strictObject({
    content: optional(content()),
    visibility: optional(Visibility),
    projectId: clearable(id()),
    tags: clearable(tags()),
    sourceUrl: clearable(httpUrl()),
  })
  .meta({ id: 'UpdateMemory' });

export const SearchMemories = z
  .strictObject({
    query: text({ max: 2000 }),
    projectId: optional(id()).meta({ description: 'Only memories of this Project.' }),
    limit: optional(z.int().min(1).max(100)).transform((limit) => limit ?? 10),
    visibility: optional(Visibility),
    tags: optional(tags()).meta({ description: 'Only memories with all of these tags.' }),
    threshold: optional(z.number().min(0).max(1)).meta({
      description: 'Only matches with at least this score.',
    }),
    createdAfter: optional(moment()).meta({
      description: 'Only memories created at this time or later.',
    }),
    createdBefore: optional(moment()).meta({
      description: 'Only memories created before this time.',
    }),
  })
  .meta({ id: 'SearchMemories' });

export const ListMemories = z.strictObject({
  visibility: Visibility.optional(),
  projectId: z.string().optional().meta({ description: 'Only memories of this Project.' }),
  tag: trimmedText({ max: 50 }).optional().meta({ description: 'Only memories with this tag.' }),
  before: z.string().optional().meta({
    description: 'Only memories older than the one with this id: `nextBefore` of the last page.',
  }),
  limit: queryInteger({
    min: 1,
    max: 100,
    fallback: 20,
    about: 'The most memories per page. A page of long ones has fewer: see `hasMore`.',
  }),
});

/** For the web app: how many memories the models have embedded, and how many not. */
export const MemoryStatus = z.object({ model: z.string(), ready: z.int(), pending: z.int() });

export const MemoryPath = z.object({ memoryId: pathId('memory') });
export const V1MemoryPath = z.object({ id: pathId('memory') });

export type MemoryStatus = z.output<typeof MemoryStatus>;
export type CreateMemory = z.output<typeof CreateMemory>;
export type CreateMemories = z.output<typeof CreateMemories>;
export type UpdateMemory = z.output<typeof UpdateMemory>;
export type SearchMemories = z.output<typeof SearchMemories>;
export type ListMemories = z.output<typeof ListMemories>;
