import { readSlackEvent } from '../../adapters/chat/slack/slack-events.ts';
import { couldBeSlack, verifySlackRequest } from '../../adapters/chat/slack/slack-signature.ts';
import { withTransaction, type Context, type SystemActor } from '../../core/context.ts';
import { invalid, invalidValue, notFound } from '../../core/errors.ts';
import { isId } from '../../core/ids.ts';
import { tryParseJson } from '../../core/try-parse-json.ts';
import { findConnectionAnywhere } from './connections/store.ts';
import { storeDelivery } from './inbox/service.ts';
import { insertSignature } from './inbox/store.ts';
import { readableSecrets } from './secrets.ts';

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
  const { signingSecret } = readableSecrets(inside, connection);
  const isSigned = verifySlackRequest(body, timestamp, signature, signingSecret, ctx.clock.now());
  if (!isSigned) throw badSignature(NOT_SIGNED);
  const json = tryParseJson(body.toString('utf8'));
  if (json === undefined) {
    throw invalid([{ location: 'body', code: 'invalid_json', message: 'must be JSON' }]);
  }
  const request = readSlackEvent(json);
  if (request.kind === 'challenge') return request.challenge;
  if (connection.status === 'BROKEN') return undefined;
  await withTransaction(inside, async (inner) => {
    // Slack signs each attempt, so the same signature is somebody else's copy.
    if (!(await insertSignature(inner, connection.id, signature ?? ''))) {
      throw badSignature('was used before');
    }
    if (request.events.length > 0) await storeDelivery(inner, connection, request.events);
  });
  return undefined;
}

const NOT_SIGNED = 'is not a signature of this request, or is too old';

function badSignature(message: string): Error {
  return invalidValue('header.x-slack-signature', message);
}
