import { expect, it } from 'vitest';
import { encodePath, sha256, signedHeaders } from './s3-signature.ts';

const CREDENTIALS = {
  region: 'us-east-1',
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
};
const NOW = new Date('2013-05-24T00:00:00Z');

const sign = (url: string, headers: Record<string, string> = {}) =>
  signedHeaders(
    { method: 'GET', url: new URL(url), headers, bodyHash: sha256('') },
    CREDENTIALS,
    NOW,
  )['authorization'];

// The examples of AWS's documentation of Signature Version 4.
it('signs an object with a range as AWS does', () => {
  expect(sign('https://examplebucket.s3.amazonaws.com/test.txt', { range: 'bytes=0-9' })).toContain(
    'Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  );
});

it('signs a query with and without values as AWS does', () => {
  expect(sign('https://examplebucket.s3.amazonaws.com/?lifecycle')).toContain(
    'Signature=fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
  );
  expect(sign('https://examplebucket.s3.amazonaws.com/?max-keys=2&prefix=J')).toContain(
    'Signature=34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
  );
});

it('encodes names as S3 does: all but letters, digits and -._~', () => {
  expect(encodePath("/a b/c+d(1)*!'/é")).toBe('/a%20b/c%2Bd%281%29%2A%21%27/%C3%A9');
});
