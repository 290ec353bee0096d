import type { Database, Queryable } from '../../db/types.ts';
import { newId } from '../../core/ids.ts';
import type { HttpResponse } from '../output/envelope.ts';
import type { IdempotentRequest, Outcome, Stores, Work } from './request.ts';
import { checkSameBody, isKept, keepResponse, makeRoom, replayStored } from './responses.ts';
import {
  endLease,
  findLockedRequest,
  finishLease,
  lockAtBegin,
  RequestTaken,
  saveLeaseAtCommit,
  type Lease,
} from './store.ts';

const LEASE_SECONDS = 30;

/** Three steps: commit a claim, call with a key derived from it, commit writes and response together. */
export async function attemptCallingOut(
  { db, room }: Stores,
  request: IdempotentRequest,
  work: Work,
): Promise<Outcome | 'busy'> {
  const claimed = await claim(db, request);
  if (claimed === 'busy' || 'response' in claimed) return claimed;
  const finish = async (on: Queryable, response: HttpResponse) => {
    const kept = await keepResponse(request, response);
    return (await finishLease(on, claimed, kept)) ? kept : undefined;
  };
  try {
    const outcome = await work.callOut?.(providerKeyOf(claimed));
    const { response, kept } = await db.transaction(async (tx) => {
      const done = await work.run(tx, outcome);
      const finished = await finish(tx, done);
      if (!finished) throw new LeaseLost();
      return { response: done, kept: finished };
    });
    await makeRoom(room, request, kept);
    return { response, replayed: false };
  } catch (error) {
    if (error instanceof LeaseLost) return 'busy';
    if (!isKept(error)) {
      // If this fails too, the lease expires by itself. The first error says more.
      await endLease(db, claimed).catch(() => {});
      throw error;
    }
    const response = work.refuse(error);
    return (await finish(db, response)) ? { response, replayed: false } : 'busy';
  }
}

async function claim(db: Database, request: IdempotentRequest): Promise<Outcome | 'busy' | Lease> {
  try {
    return await db.transaction(async (tx) => {
      lockAtBegin(tx, request.scope);
      const found = await findLockedRequest(tx, request.scope);
      if (found) checkSameBody(request, found.bodyHash);
      if (found?.leaseIsLive) return 'busy';
      if (found?.status) return replayStored(request, found);
      const { scope, bodyHash } = request;
      const lease = { scope, bodyHash, claimId: found?.claimId ?? newId(), token: newId() };
      saveLeaseAtCommit(tx, lease, LEASE_SECONDS);
      return lease;
    });
  } catch (error) {
    if (error instanceof RequestTaken) return 'busy';
    throw error;
  }
}

class LeaseLost extends Error {}

function providerKeyOf(lease: Lease): string {
  return `atrium-${lease.claimId}`;
}
