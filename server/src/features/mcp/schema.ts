import { z } from 'zod';
import {
  httpsUrl,
  listOf,
  mentionSlug,
  name,
  optional,
  pathId,
  recordId,
  text,
  timestamp,
} from '../../core/fields.ts';
import { secretProblem } from './secret.ts';

const AuthType = z.enum(['NONE', 'BEARER', 'API_KEY']);

export const McpServer = z
  .object({
    id: recordId(),
    displayName: z.string(),
    mentionSlug: z.string().meta({ description: 'The name to mention it by, after the `@`.' }),
    endpointUrl: z.string(),
    authType: AuthType,
    hasSecret: z.boolean(),
    projectIds: z.array(recordId()).meta({
      description: 'The Projects it is bound to. Empty if it serves all of them.',
    }),
    lastTestedAt: timestamp().nullable(),
    lastError: z.string().nullable(),
    createdAt: timestamp(),
  })
  .meta({ id: 'McpServer' });

export const McpServerList = listOf(McpServer).meta({ id: 'McpServerList' });

export const CreateMcpServer = z
  .strictObject({
    displayName: name(),
    mentionSlug: mentionSlug(),
    endpointUrl: httpsUrl().meta({
      description: 'Its Streamable HTTP endpoint: HTTPS, at a public address.',
    }),
    authType: AuthType,
    secret: optional(text({ max: 4096 })).meta({
      description:
        'For BEARER, the token. For API_KEY, `HeaderName:value`. Stored encrypted and never returned.',
    }),
  })
  .refine(({ authType, secret } = {} as never) => secretProblem(authType, secret) === undefined, {
    path: ['secret'],
    params: { code: 'invalid_value' },
    error: ({ input }) => {
      const { authType, secret } = input as { authType: unknown; secret?: unknown };
      return secretProblem(authType, secret);
    },
    when: ({ value }) => typeof value === 'object' && value !== null,
  })
  .meta({ id: 'CreateMcpServer' });

export const BindMcpServer = z
  .strictObject({
    projectIds: z
      .array(text({ max: 50 }))
      .max(200)
      .transform((ids) => [...new Set(ids)]),
  })
  .meta({ id: 'BindMcpServer' });

export const ConnectionTest = z
  .union([
    z.object({
      ok: z.literal(true),
      protocolVersion: z.string(),
      serverInfo: z.object({ name: z.string(), version: z.string() }),
      capabilities: z.record(z.string(), z.unknown()),
      latencyMs: z.int(),
    }),
    z.object({ ok: z.literal(false), error: z.object({ code: z.string(), message: z.string() }) }),
  ])
  .meta({ id: 'ConnectionTest' });

export const McpServerPath = z.object({ id: pathId('MCP server') });

export type CreateMcpServer = z.output<typeof CreateMcpServer>;
export type ConnectionTest = z.output<typeof ConnectionTest>;
