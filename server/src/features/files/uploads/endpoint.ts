import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { StorageUnavailable } from '../../../adapters/storage/storage.ts';
import type { UserContext } from '../../../core/context.ts';
import { AppError, requireFound } from '../../../core/errors.ts';
import { isId } from '../../../core/ids.ts';
import { checkAccess, type Entrance } from '../../../http/callers/access.ts';
import { identifyCaller, type Caller } from '../../../http/callers/auth.ts';
import { readAuthority } from '../../../http/callers/authority.ts';
import { requireOwnOrigin } from '../../../http/callers/own-origin.ts';
import { counted, takeSlot, takeSlotOf } from '../../../http/callers/rate-limit.ts';
import { allowSlowBody, endUnread } from '../../../http/connections/protocol.ts';
import { successResponse } from '../../../http/output/envelope.ts';
import { createContext, sendResponse, type PipelineParts } from '../../../http/pipeline.ts';
import { CutShort, readBody } from './body.ts';
import {
  endUpload,
  readUpload,
  readUploaded,
  receiveUpload,
  resumeUpload,
  type UploadRow,
} from './service.ts';
import {
  readChecksum,
  readLength,
  readOffset,
  requirePatchType,
  requireTus,
  TUS_VERSION,
  tusOffer,
} from './tus.ts';

const PATH = '/api/files/:id/upload';
const ENTRANCE: Entrance = { auth: 'user', scope: 'files:write' };
/** Per minute and key. Clients send many small pieces; all bytes of an upload count as one write. */
const REQUESTS = 1_200;

export interface Uploads {
  /** Ends all uploads, so that clients go on with another process, and waits until what arrived is kept. */
  close(): Promise<void>;
}

/** Where bytes of files go: as tus 1.0, or whole. They are not read like other bodies, so this is no regular route. */
export function addUploads(
  app: FastifyInstance,
  parts: PipelineParts,
  { stalledMs }: { stalledMs: number },
): Uploads {
  const { rateLimits, dependencies } = parts;
  const running = new Map<FastifyRequest, Promise<unknown>>();
  let isClosed = false;

  async function admit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    void reply.header('tus-resumable', TUS_VERSION).header('cache-control', 'no-store');
    const check = (caller: Caller) => checkAccess(ENTRANCE, caller, {});
    const { authority, caller } = await readAuthority({
      identify: (again) => identifyCaller(request.raw, 'user', parts, again),
      check,
      maxAgeMs: parts.authorityMaxAgeMs,
    });
    request.caller = caller;
    request.authority = authority;
    if (caller?.actor.keyId === null) requireOwnOrigin(request, dependencies.site.publicUrl());
    const { who, name, factor } = counted(caller, request);
    const bucket = `${name}:upload`;
    const allowance = { bucket, limit: factor * REQUESTS, kind: 'upload request', who };
    await takeSlotOf(rateLimits.limiter, allowance, reply);
    if (caller) check(caller);
  }

  async function contextOf(request: FastifyRequest): Promise<UserContext> {
    const caller = await request.authority.current(parts.db);
    return createContext(parts, request.id, caller) as UserContext;
  }

  async function receive(
    request: FastifyRequest,
    reply: FastifyReply,
    offset: number | 'whole',
  ): Promise<UploadRow & { offset: number }> {
    const ctx = await contextOf(request);
    const upload = await readUpload(ctx, fileIdOf(request));
    const isFirst = upload.received === 0 && upload.token === null;
    if (isFirst || offset === 'whole') {
      await takeSlot(rateLimits, { limit: 'write' }, request.caller, request, reply);
    }
    const checksum = readChecksum(request.headers);
    const body = readBody(request.raw, {
      stalledMs,
      check: () => request.authority.current(parts.db),
    });
    if (isClosed) request.raw.destroy();
    allowSlowBody(request.raw);
    const receiving = receiveUpload(ctx, upload, {
      source: checksum?.through(body.source) ?? body.source,
      offset,
      length: readLength(request.headers),
      verify: checksum && (() => checksum.verify()),
      isComplete: () => body.isComplete(),
    });
    running.set(request, receiving);
    try {
      const reached = await receiving;
      if (body.problem() !== undefined) throw body.problem();
      return { ...upload, offset: reached };
    } finally {
      running.delete(request);
      endUnread(request.raw, reply.raw);
    }
  }

  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    // The body is read by whoever stores it.
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    scope.setErrorHandler((error, _request, reply) => {
      if (error instanceof CutShort) return reply.code(400).send();
      throw explain(error);
    });
    const common = { url: PATH, config: { isRaw: true } } as const;
    scope.route({
      ...common,
      method: 'OPTIONS',
      handler: (_request, reply) =>
        reply
          .code(204)
          .headers({ 'tus-resumable': TUS_VERSION, ...tusOffer(dependencies.fileLimits.maxBytes) })
          .send(),
    });
    scope.route({
      ...common,
      method: 'HEAD',
      onRequest: admit,
      async handler(request, reply) {
        requireTus(request.headers);
        const upload = await resumeUpload(await contextOf(request), fileIdOf(request));
        const { received, size } = upload;
        return reply
          .headers({ 'upload-offset': received, 'upload-length': size, ...expiry(upload) })
          .send();
      },
    });
    scope.route({
      ...common,
      method: 'PATCH',
      onRequest: admit,
      async handler(request, reply) {
        requireTus(request.headers);
        requirePatchType(request.headers);
        const upload = await receive(request, reply, readOffset(request.headers));
        return reply
          .code(204)
          .headers({ 'upload-offset': upload.offset, ...expiry(upload) })
          .send();
      },
    });
    scope.route({
      ...common,
      method: 'PUT',
      onRequest: admit,
      async handler(request, reply) {
        const { fileId } = await receive(request, reply, 'whole');
        const file = await readUploaded(await contextOf(request), fileId);
        return sendResponse(reply, await successResponse(200, file, request.id, parts.clock.now()));
      },
    });
    scope.route({
      ...common,
      method: 'DELETE',
      onRequest: admit,
      async handler(request, reply) {
        requireTus(request.headers);
        await takeSlot(rateLimits, { limit: 'write' }, request.caller, request, reply);
        await endUpload(await contextOf(request), fileIdOf(request));
        return reply.code(204).send();
      },
    });
  });

  return {
    async close() {
      isClosed = true;
      for (const request of running.keys()) request.raw.destroy();
      await Promise.allSettled(running.values());
    },
  };
}

function fileIdOf({ params }: FastifyRequest): string {
  const { id = '' } = params as { id?: string };
  return requireFound(isId(id) ? id : undefined, 'This upload');
}

function expiry({ expiresAt }: UploadRow): Record<string, string> {
  return { 'upload-expires': expiresAt.toUTCString() };
}

/** What an operator has to do something about. What was received before is kept. */
function explain(error: unknown): unknown {
  if (!(error instanceof StorageUnavailable)) return error;
  const text = error.isFull
    ? 'The storage of this server is full. Tell whoever runs it, and upload the rest later.'
    : 'The storage of this server cannot be reached. Upload the rest later.';
  return new AppError('INTERNAL_ERROR', text, {}, error.isFull ? undefined : 30);
}
