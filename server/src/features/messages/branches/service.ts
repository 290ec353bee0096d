import { requireLiveProject } from '../../../access/project.ts';
import { withTransaction, type UserContext } from '../../../core/context.ts';
import { conflict, forbidden, invalidValue, limitReached } from '../../../core/errors.ts';
import { newId } from '../../../core/ids.ts';
import type { Transaction } from '../../../db/types.ts';
import { emit } from '../../../events/emit.ts';
import { escapeMarkdown } from '../../../text/plain-text.ts';
import { sessionNameFrom } from '../../../text/session-name.ts';
import { isUsable } from '../../files/attaching/service.ts';
import { requireAnswerer } from '../../mentions/service.ts';
import { nameSessionAtCommit, requireLiveSession } from '../../sessions/service.ts';
import { forgetSummaryAtCommit } from '../../sessions/summaries/service.ts';
import { branchInactive, requireWritable } from '../policy.ts';
import { retryReply } from '../replies/running.ts';
import { requestStop } from '../replies/service.ts';
import type { MessagePath, RetryMessage } from '../schema.ts';
import { hashBody } from '../search/index-body.ts';
import { getMessage, readAddressed, USUAL_ANSWERER, writePost } from '../service.ts';
import type { MessageAccess, MessageRow } from '../store.ts';
import {
  bringBack,
  findCurrentVersion,
  isAnswering,
  lockBranches,
  putAside,
  type BranchStart,
  type BranchState,
  type CurrentVersion,
} from './store.ts';

type InTransaction = UserContext & { db: Transaction };

/** A page of the list has them all, so there is a bound. */
const MOST_VERSIONS = 50;

/** A reply of an agent is run again in its place. A question is asked again, in a new branch. */
export async function retryMessage(
  ctx: UserContext,
  path: MessagePath,
  input: RetryMessage,
): Promise<MessageRow> {
  const { access, message } = await getMessage(ctx, path);
  if (message.authorKind === 'USER') return askAgain(ctx, path, { access, message }, input);
  for (const name of ['body', 'agent'] as const) {
    if (input[name] !== undefined) {
      throw invalidValue(`body.${name}`, 'can only be sent for a question, not for a reply');
    }
  }
  return retryReply(ctx, path);
}

async function askAgain(
  ctx: UserContext,
  { slug }: MessagePath,
  { access, message }: { access: MessageAccess; message: MessageRow },
  { body = message.body, agent }: RetryMessage,
): Promise<MessageRow> {
  requireWritable(access, message);
  const { sessionId } = message;
  const place = { slug, sessionId, parentMessageId: null };
  const addressed = await readAddressed(ctx, place, body);
  await requireAnswerer(ctx, access.projectId, 'agent', agent);
  const usual = addressed.answering.length === 0 ? [USUAL_ANSWERER] : addressed.answering;
  const answering = agent ? [agent] : usual;
  // What was refused meanwhile stays with the earlier version.
  const attachments = message.attachments.filter(isUsable);
  const hashes = await hashBody(ctx.orgId, body);
  return withTransaction(ctx, async (inner) => {
    const state = await lockBranches(inner, message);
    requireTurn(ctx, message, state);
    const { turnId, versions, position } = state;
    await stopAside(inner, sessionId, { id: message.id, position });
    forgetSummaryAtCommit(inner.db, ctx.orgId, message);
    const sessionName = sessionNameFrom(body || escapeMarkdown(attachments[0]?.name ?? ''));
    const asking = { ...addressed, answering, sessionName };
    const asked = await writePost(inner, place, {
      id: newId(),
      body,
      hashes,
      addressed: asking,
      attachments,
      turnId,
    });
    const { projectId } = access;
    emit(inner, { type: 'message.branched', projectId, sessionId, messageId: asked.id });
    const earlier = versions.map((messageId) => ({ messageId, active: false }));
    return { ...asked, branches: [...earlier, { messageId: asked.id, active: true }] };
  });
}

function requireTurn(ctx: UserContext, message: MessageRow, state: BranchState): void {
  if (!state.isAlone || message.parentMessageId !== null) throw notAlone();
  if (message.authorUserId !== ctx.actor.userId) {
    throw forbidden('role', 'Only the person who asked can ask again.');
  }
  if (state.inactiveBranchId !== null) throw branchInactive();
  if (state.versions.length >= MOST_VERSIONS) {
    const words = `A question can be asked ${MOST_VERSIONS} times in one place. Ask it as a new message.`;
    throw limitReached('branches_per_message', MOST_VERSIONS, words);
  }
}

function notAlone(): Error {
  const message =
    'Only a FAILED or STOPPED reply can be retried. A question can be asked again by its author, outside threads, in a session where they are the only person.';
  return conflict('reply_not_failed', message);
}

/** Whoever still answers there stops: their answers would be read by nobody. */
async function stopAside(ctx: InTransaction, sessionId: string, start: BranchStart): Promise<void> {
  const aside = await putAside(ctx, sessionId, start);
  // Somebody who has left the session may have written in it. What they said stays where it is.
  const isOthers = (authorUserId: string | null) => authorUserId !== ctx.actor.userId;
  if (aside.some((one) => one.authorKind === 'USER' && isOthers(one.authorUserId))) {
    throw notAlone();
  }
  for (const { id, pending } of aside) {
    for (const { mention } of pending) await requestStop(ctx, id, mention);
  }
}

/** Shows the branch that the message is in, in lists and to agents. */
export function showBranch(ctx: UserContext, path: MessagePath): Promise<MessageRow> {
  return withTransaction(ctx, async (inner) => {
    const { access, message } = await getMessage(inner, path);
    requireLiveProject(access.projectArchivedAt);
    requireLiveSession(access);
    const { id: messageId, sessionId } = message;
    const { isAlone, inactiveBranchId } = await lockBranches(inner, message);
    if (inactiveBranchId === null) return message;
    if (!isAlone) {
      const words = 'Others take part in this session, so what they see stays as it is.';
      throw conflict('branch_inactive', words);
    }
    if (await isAnswering(inner, sessionId)) {
      throw conflict('reply_pending', 'An answer is being written. Stop it, or wait for it.');
    }
    const { projectId } = access;
    for (const { entered, left } of await findSwitches(inner, inactiveBranchId)) {
      await putAside(inner, sessionId, left);
      await bringBack(inner, sessionId, entered);
      for (const id of [entered, left.id]) {
        forgetSummaryAtCommit(inner.db, ctx.orgId, { id, sessionId });
      }
      const name = sessionNameFrom(left.enteredBody);
      if (name === undefined) continue;
      nameSessionAtCommit(inner.db, ctx.orgId, sessionId, { name, turnId: left.turnId });
      emit(inner, { type: 'session.named', projectId, sessionId });
    }
    emit(inner, { type: 'message.branched', projectId, sessionId, messageId });
    return (await getMessage(inner, path)).message;
  });
}

interface Switch {
  entered: string;
  left: CurrentVersion;
}

/** A branch may be inside others that are not shown. Those come first. */
async function findSwitches(ctx: InTransaction, branchId: string): Promise<Switch[]> {
  const switches: Switch[] = [];
  let entered: string | null = branchId;
  while (entered !== null) {
    const current = await findCurrentVersion(ctx, entered);
    if (!current) break;
    switches.unshift({ entered, left: current });
    entered = current.inactiveBranchId;
  }
  return switches;
}
