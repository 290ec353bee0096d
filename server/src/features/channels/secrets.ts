import { openChat } from '../../adapters/chat/open-chat.ts';
import { ChatFailure, type ChatProvider } from '../../adapters/chat/provider.ts';
import type { Context } from '../../core/context.ts';
import type { ConnectionRow } from './connections/store.ts';

export interface ConnectionSecrets {
  botToken: string;
  appToken?: string | undefined;
  signingSecret?: string | undefined;
}

type Sealing = Pick<Context, 'vault' | 'orgId'>;

/** The vault's name for the place of a connection's secrets. */
export function placeOf(orgId: string, connectionId: string): string {
  return `channel-connection/${orgId}/${connectionId}`;
}

export function sealSecrets(
  { vault, orgId }: Sealing,
  connectionId: string,
  secrets: ConnectionSecrets,
): Buffer {
  return vault.seal(placeOf(orgId, connectionId), JSON.stringify(secrets));
}

/** Throws a ChatFailure if they were sealed with a key that is gone. */
export function readSecrets(
  { vault, orgId }: Sealing,
  { id, sealedSecrets }: Pick<ConnectionRow, 'id' | 'sealedSecrets'>,
): ConnectionSecrets {
  try {
    return JSON.parse(vault.unseal(placeOf(orgId, id), sealedSecrets)) as ConnectionSecrets;
  } catch {
    throw new ChatFailure(
      'unauthorized',
      'its tokens were encrypted with a key that is not in SECRETS_KEY: add that key, or enter the tokens again',
    );
  }
}

/** Empty if they can't be read any more. They can be replaced. */
export function readableSecrets(
  ctx: Sealing,
  connection: Parameters<typeof readSecrets>[1],
): ConnectionSecrets {
  try {
    return readSecrets(ctx, connection);
  } catch (error) {
    if (error instanceof ChatFailure) return { botToken: '' };
    throw error;
  }
}

export function openConnection(
  ctx: Sealing & Pick<Context, 'chat'>,
  connection: ConnectionRow,
): ChatProvider {
  return openWith(ctx, connection, readSecrets(ctx, connection));
}

export function openWith(
  { chat }: Pick<Context, 'chat'>,
  { provider, serverUrl }: Pick<ConnectionRow, 'provider' | 'serverUrl'>,
  { botToken, appToken }: ConnectionSecrets,
): ChatProvider {
  return openChat(provider, { botToken, appToken, serverUrl: serverUrl ?? undefined }, chat);
}
