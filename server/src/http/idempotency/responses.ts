import { AppError, conflict } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import type { HttpResponse } from '../output/envelope.ts';
import type { IdempotentRequest, Outcome } from './request.ts';
import type { Room } from './room.ts';
import { seal, unseal } from './sealing.ts';
import type { FinishedRequest, KeptResponse, StoredRequest } from './store.ts';

/** A larger response, as stored, is not kept. */
const MOST_RESPONSE_BYTES = 1024 * 1024;
/** Responses of writes up to this size are not counted, so that posting a message costs no more. */
const SMALL_BYTES = 2_048;

/** What is stored in place of a response that is not kept. The claim stays. */
const NOT_KEPT = { sealedResponse: Buffer.alloc(0), isCompressed: false, counted: null };

export async function keepResponse(
  { secret, scope, callerId, isRead }: IdempotentRequest,
  { status, body }: HttpResponse,
): Promise<KeptResponse> {
  const sealed = await seal(secret, scope.hash, body);
  const bytes = sealed.sealedResponse.length;
  if (bytes > MOST_RESPONSE_BYTES) return { ...NOT_KEPT, status, isRead };
  const isCounted = isRead || bytes > SMALL_BYTES;
  return { ...sealed, status, isRead, counted: isCounted ? { callerId, bytes } : null };
}

export async function finishedRequest(
  request: IdempotentRequest,
  response: HttpResponse,
): Promise<FinishedRequest> {
  const { scope, bodyHash } = request;
  return { scope, bodyHash, claimId: newId(), ...(await keepResponse(request, response)) };
}

/** The same for a request that can be run again: without its response if there is no room for that. */
export async function finishedIfRoom(
  request: IdempotentRequest,
  response: HttpResponse,
  room: Room,
): Promise<FinishedRequest> {
  const finished = await finishedRequest(request, response);
  const { counted, scope } = finished;
  if (!counted || (await room.take({ ...counted, orgId: scope.orgId }, counted.bytes))) {
    return finished;
  }
  return { ...finished, ...NOT_KEPT };
}

/** After a write was committed. */
export async function makeRoom(
  room: Room,
  { scope }: IdempotentRequest,
  { counted }: KeptResponse,
): Promise<void> {
  // What could not be dropped now is dropped with the next response, so the request has not failed.
  if (counted) await room.make({ ...counted, orgId: scope.orgId }, counted.bytes).catch(() => {});
}

export async function replayStored(
  request: IdempotentRequest,
  { status, sealedResponse, isCompressed, bodyHash }: StoredRequest,
): Promise<Outcome> {
  if (status === null || sealedResponse === null) {
    throw new Error('tried to replay an unfinished request');
  }
  checkSameBody(request, bodyHash);
  if (sealedResponse.length === 0) return { response: undefined, replayed: true };
  const sealed = { sealedResponse, isCompressed };
  const body = await unseal(request.secret, request.scope.hash, sealed);
  return { response: { status, body }, replayed: true };
}

export function checkSameBody(request: IdempotentRequest, bodyHash: Buffer): void {
  if (request.bodyHash.equals(bodyHash)) return;
  throw conflict(
    'idempotency_key_reused',
    'This Idempotency-Key was used with a different body. Use a new key for a new request.',
  );
}

/** Only 404 and 409 are stored for repetitions. After any other error the request may be tried again. */
export function isKept(error: unknown): error is AppError {
  return (
    error instanceof AppError &&
    (error.code === 'NOT_FOUND' || error.code === 'CONFLICT') &&
    error.details['reason'] !== 'idempotency_key_reused'
  );
}
