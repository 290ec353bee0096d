import { couldBeSlack, readSlackEvent, verifySlackRequest } from '../../adapters/chat/index.ts';
import { ChatFailure } from '../../adapters/chat/provider.ts';
import { withTransaction, type Context, type SystemActor } from '../../core/context.ts';
import { invalid, notFound } from '../../core/errors.ts';
import { isId } from '../../core/ids.ts';
import { findConnectionAnywhere } from './connections/store.ts';
import { storeDelivery } from './inbox/service.ts';
import { insertSignature } from './inbox/store.ts';
import { readSecrets } from './secrets.ts';

export const SLACK_WEBHOOK = '/api/webhooks/slack';

type Headers = Record<string, string | string[] | undefined>;
type WebhookContext = Omit<Context<SystemActor>, 'orgId'>;

/**
 * Stores what Slack tells, and returns the answer to its test of the address, if this is one. What is done
 * about it happens later: Slack waits three seconds.
 */
export async function receiveSlackRequest(
  ctx: WebhookContext,
  connectionId: string,
  body: Buffer,
  headers: Headers,
): Promise<string | undefined> {
  const [timestamp, signature] = ['x-slack-request-timestamp', 'x-slack-signature'].map((name) => {
    const value = headers[name];
    return typeof value === 'string' ? value : undefined;
  });
  if (!isId(connectionId)) throw notFound('This connection');
  // Before the database is asked: anybody can call this.
  if (!couldBeSlack(timestamp, signature, ctx.clock.now())) throw badSignature(NOT_SIGNED);
  const found = await findConnectionAnywhere(ctx.db, connectionId);
  if (found?.provider !== 'SLACK') throw notFound('This connection');
  const { orgId, ...connection } = found;
  const inside = { ...ctx, orgId };
  const { signingSecret } = secretsOf(inside, connection);
  const isSigned = verifySlackRequest(body, timestamp, signature, signingSecret, ctx.clock.now());
  if (!isSigned) throw badSignature(NOT_SIGNED);
  const request = readSlackEvent(parse(body));
  if (request.kind === 'challenge') return request.challenge;
  if (connection.status === 'BROKEN') return undefined;
  await withTransaction(inside, async (inner) => {
    // Slack signs each attempt, so the same signature is somebody else's copy.
    if (!(await insertSignature(inner.db, orgId, connection.id, signature ?? ''))) {
      throw badSignature('was used before');
    }
    if (request.events.length > 0) await storeDelivery(inner, connection, request.events);
  });
  return undefined;
}

const NOT_SIGNED = 'is not a signature of this request, or is too old';

function badSignature(message: string): Error {
  return invalid([{ location: 'header.x-slack-signature', code: 'invalid_value', message }]);
}

function secretsOf(
  ctx: Context,
  connection: Parameters<typeof readSecrets>[1],
): { signingSecret?: string | undefined } {
  try {
    return readSecrets(ctx, connection);
  } catch (error) {
    if (error instanceof ChatFailure) return {};
    throw error;
  }
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8')) as unknown;
  } catch {
    throw invalid([{ location: 'body', code: 'invalid_json', message: 'must be JSON' }]);
  }
}
