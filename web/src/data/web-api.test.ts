import { AtriumError } from '@atrium/sdk';
import { afterEach, expect, it, vi } from 'vitest';
import { webApi } from './web-api.ts';

afterEach(() => void vi.unstubAllGlobals());

/** A browser whose first requests fail, as they do if a connection breaks. */
function failFirst(times: number) {
  const methods: string[] = [];
  vi.stubGlobal('fetch', async (_url: string, { method }: { method: string }) => {
    methods.push(method);
    if (methods.length <= times) throw new TypeError('Failed to fetch');
    return Response.json({ data: { profile: null } });
  });
  return methods;
}

it('sends a GET again if the connection breaks', async () => {
  const methods = failFirst(1);
  expect(await webApi.signedIn()).toBeNull();
  expect(methods).toEqual(['GET', 'GET']);
});

it('says that the server can’t be reached if it breaks again', async () => {
  const methods = failFirst(2);
  await expect(webApi.signedIn()).rejects.toThrow(AtriumError);
  expect(methods).toEqual(['GET', 'GET']);
});

it('sends a POST only once: the server may have processed it', async () => {
  const methods = failFirst(1);
  await expect(webApi.signOut()).rejects.toThrow('Can’t reach the server');
  expect(methods).toEqual(['POST']);
});
