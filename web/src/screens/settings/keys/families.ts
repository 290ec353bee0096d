import type { CreateKey, Key } from '@atrium/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useItems } from '../../../data/use-fetched.ts';
import { keys } from '../../../data/query-keys.ts';
import { useWorkspace } from '../../../data/workspace.tsx';

/** v2: a person's own keys. v1: the org's, for the Memory API. */
export type KeyFamily = 'v1' | 'v2';

/** A new key, shown once. It lives in a component's state and nowhere else. */
export interface ShownKey {
  name: string;
  secret: string;
  scopes: string[];
  /** After a rotation: when the old key stops working. */
  replacedUntil?: string;
}

export function useKeyList(family: KeyFamily) {
  return useItems<Key>(family === 'v2' ? keys.myKeys : keys.orgKeys, ({ client, org }, options) =>
    family === 'v2' ? client.keys.list(options) : client.keys.listOrgKeys(org.id, options),
  );
}

/**
 * Plain functions instead of React Query mutations, which keep their results for a while: a secret
 * must be gone when its dialog closes.
 */
export function useKeyActions(family: KeyFamily) {
  const { client, org } = useWorkspace();
  const queryClient = useQueryClient();
  const queryKey = family === 'v2' ? keys.myKeys(org.id) : keys.orgKeys(org.id);
  const refetchList = () => queryClient.invalidateQueries({ queryKey });

  return {
    mint: async (name: string, scopes: CreateKey['scopes']): Promise<ShownKey> => {
      const ofMemory = scopes.filter(
        (scope) => scope === 'memory:read' || scope === 'memory:write',
      );
      const made =
        family === 'v2'
          ? await client.keys.create({ name, scopes })
          : await client.keys.createOrgKey(org.id, { name, scopes: ofMemory });
      void refetchList();
      return { name, secret: 'secret' in made ? made.secret : made.key, scopes };
    },
    rotate: async (keyId: string, gracePeriodSeconds: number): Promise<ShownKey> => {
      const params = { gracePeriodSeconds };
      const made =
        family === 'v2'
          ? await client.keys.rotate(keyId, params)
          : await client.keys.rotateOrgKey(org.id, keyId, params);
      void refetchList();
      const secret = 'secret' in made ? made.secret : made.key;
      return { name: made.name, secret, scopes: made.scopes, replacedUntil: made.expiresAt };
    },
    revoke: async (keyId: string): Promise<void> => {
      if (family === 'v2') await client.keys.revoke(keyId);
      else await client.keys.revokeOrgKey(org.id, keyId);
      await refetchList();
    },
  };
}
