import { randomUUID } from 'node:crypto';
import { requireScopes } from '../../access/scopes.ts';
import { withTransaction, type UserContext } from '../../core/context.ts';
import type { Download } from '../../lists/download.ts';
import type { RecordKind } from '../../lists/record-kind.ts';
import { conflict } from '../../core/errors.ts';
import { emit } from '../../events/emit.ts';
import type { EventOf } from '../../events/list.ts';
import { archive, type ArchiveFile } from './archive.ts';
import { releaseLease, renewLease, takeLease, type Lease } from './store.ts';

/** Everything of the organisation but secrets and people's PRIVATE memories. Only for an OWNER. */
export function exportOrg(ctx: UserContext, kinds: readonly RecordKind[]): Promise<Download> {
  return openExport(ctx, kinds, { type: 'org.exported' });
}

/** What the caller wrote and owns in this organisation. A key needs all of `scopes`. */
export async function exportOwn(
  ctx: UserContext,
  kinds: readonly RecordKind[],
  scopes: readonly string[],
): Promise<Download> {
  requireScopes(ctx, scopes);
  return openExport(ctx, kinds, { type: 'member.exported', userId: ctx.actor.userId });
}

/** One at a time. The lease is taken before anything is read, and given back when the reader is done. */
async function openExport(
  ctx: UserContext,
  kinds: readonly RecordKind[],
  event: EventOf<'org.exported' | 'member.exported'>,
): Promise<Download> {
  const { orgId } = ctx;
  const isOwn = event.type === 'member.exported';
  const lease: Lease = { orgId, subject: isOwn ? event.userId : 'ORG', token: randomUUID() };
  await withTransaction(ctx, async (inner) => {
    if (!(await takeLease(inner.db, lease))) {
      throw conflict(
        'export_running',
        'This export is already running. Try again when it is done.',
      );
    }
    emit(inner, event);
  });
  const now = ctx.clock.now();
  return {
    fileName: `atrium-${isOwn ? event.userId : orgId}-${now.toISOString().slice(0, 10)}.tar.gz`,
    async *read(goOn) {
      const keep = leaseKeeper(ctx, lease);
      const next = async () => {
        await goOn();
        await keep();
      };
      const files = filesOf(ctx, kinds, isOwn, next);
      for await (const chunk of archive(files, ctx.spoolFolder, now)) {
        await next();
        yield chunk;
      }
    },
    close: () => releaseLease(ctx.db, lease),
  };
}

/** Records first: they are small, and say what the rest is. */
async function* filesOf(
  ctx: UserContext,
  kinds: readonly RecordKind[],
  isOwn: boolean,
  next: () => Promise<void>,
): AsyncGenerator<ArchiveFile> {
  for (const kind of kinds) {
    yield { name: `${kind.name}.jsonl`, text: linesOf(ctx, kind, isOwn, next) };
  }
  for (const kind of kinds) {
    for (let after: string | null = kind.readContents ? '' : null; after !== null;) {
      await next();
      const page = await kind.readContents?.(ctx, { isOwn, after });
      for (const content of page?.rows ?? []) {
        await next();
        const bytes = await content.open();
        if (bytes) yield { name: content.path, size: content.size, bytes };
      }
      after = page?.next ?? null;
    }
  }
}

async function* linesOf(
  ctx: UserContext,
  kind: RecordKind,
  isOwn: boolean,
  next: () => Promise<void>,
): AsyncGenerator<string> {
  for (let after: string | null = ''; after !== null;) {
    await next();
    const page = await kind.read(ctx, { isOwn, after });
    yield page.rows.map((row) => `${JSON.stringify(row)}\n`).join('');
    after = page.next;
  }
}

const RENEW_AFTER_MS = 30_000;

function leaseKeeper(ctx: UserContext, lease: Lease): () => Promise<void> {
  let renewedAt = performance.now();
  return async () => {
    if (performance.now() - renewedAt < RENEW_AFTER_MS) return;
    if (!(await renewLease(ctx.db, lease))) throw new Error('another export has taken the lease');
    renewedAt = performance.now();
  };
}
