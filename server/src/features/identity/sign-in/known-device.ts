import { timingSafeEqual } from 'node:crypto';
import type { PersonActor, Tokens, WebContext } from '../../../core/context.ts';
import { newId } from '../../../core/ids.ts';
import { findDeviceOwner, type DeviceOwner } from './store.ts';

type Signed = Pick<WebContext, 'tokens' | 'device'>;

/** The id of this browser, if the person with this address has signed in with it before. */
export async function knownDevice(
  ctx: Signed & Pick<WebContext, 'db'>,
  email: string,
): Promise<string | undefined> {
  if (ctx.device.token === undefined) return undefined;
  const owner = await findDeviceOwner(ctx.db, { email });
  return owner && deviceOf(ctx, owner);
}

/** Signing in again with the same browser keeps its id, and with it its count of attempts. */
export function rememberDevice(ctx: Signed, owner: DeviceOwner): void {
  const id = deviceOf(ctx, owner) ?? newId();
  ctx.device.remember(deviceToken(ctx.tokens, owner, id));
}

/** For browsers that signed in before this cookie existed: one per session. */
export async function rememberSignedIn(
  ctx: Signed & Pick<WebContext, 'db'>,
  { userId, webSessionId }: PersonActor,
): Promise<void> {
  if (ctx.device.token !== undefined || webSessionId === null) return;
  const owner = await findDeviceOwner(ctx.db, { userId });
  if (owner) ctx.device.remember(deviceToken(ctx.tokens, owner, webSessionId));
}

function deviceOf({ tokens, device }: Signed, owner: DeviceOwner): string | undefined {
  const [id] = device.token?.split('.', 1) ?? [];
  if (device.token === undefined || id === undefined) return undefined;
  const given = Buffer.from(device.token);
  const isGiven = (token: string) => {
    const expected = Buffer.from(`${id}.${token}`);
    return given.length === expected.length && timingSafeEqual(given, expected);
  };
  return tokens.deriveAll(...deviceWords(owner, id)).some(isGiven) ? id : undefined;
}

/** Signed rather than stored, because it grants nothing except a separate count of attempts. */
function deviceToken(tokens: Tokens, owner: DeviceOwner, id: string): string {
  return `${id}.${tokens.derive(...deviceWords(owner, id))}`;
}

function deviceWords({ userId, generation }: DeviceOwner, id: string) {
  return ['device', userId, String(generation), id] as const;
}
