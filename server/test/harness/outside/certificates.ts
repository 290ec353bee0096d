import { generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

export interface Authority {
  /** PEM for clients to trust, as `ca` or in NODE_EXTRA_CA_CERTS. */
  certificate: string;
  issue(names: readonly string[], validity?: Validity): Certificate;
}

/** PEM, for node:https. */
export interface Certificate {
  cert: string;
  key: string;
}

interface Validity {
  from?: Date;
  until?: Date;
}

const DAY_MS = 86_400_000;
/** Object identifiers, encoded. */
const OID = {
  ecdsaWithSha256: [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02],
  commonName: [0x55, 0x04, 0x03],
  basicConstraints: [0x55, 0x1d, 0x13],
  alternativeNames: [0x55, 0x1d, 0x11],
};

/** Writes X.509 itself: openssl may be missing, and committed certificates expire. */
export function createAuthority(name = 'Atrium test authority'): Authority {
  const { publicKey, privateKey } = newKeys();
  const isAuthority = extension(
    OID.basicConstraints,
    sequence(Buffer.from([0x01, 0x01, 0xff])),
    true,
  );
  const authority = { name, key: privateKey };
  return {
    certificate: write(authority, name, publicKey, [isAuthority], {}),
    issue(names, validity = {}) {
      const keys = newKeys();
      const alternatives = extension(OID.alternativeNames, sequence(...names.map(alternativeName)));
      return {
        cert: write(authority, 'test server', keys.publicKey, [alternatives], validity),
        key: keys.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
      };
    },
  };
}

function newKeys() {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' });
}

function write(
  authority: { name: string; key: KeyObject },
  subject: string,
  publicKey: KeyObject,
  extensions: Buffer[],
  { from = new Date(Date.now() - DAY_MS), until = new Date(Date.now() + DAY_MS) }: Validity,
): string {
  const algorithm = sequence(der(0x06, OID.ecdsaWithSha256));
  const content = sequence(
    der(0xa0, der(0x02, [2])),
    der(0x02, [0x01, ...randomBytes(15)]),
    algorithm,
    distinguishedName(authority.name),
    sequence(time(from), time(until)),
    distinguishedName(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...extensions)),
  );
  const signature = sign('sha256', content, authority.key);
  const whole = sequence(content, algorithm, der(0x03, [0, ...signature]));
  const lines = whole.toString('base64').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}

function alternativeName(name: string): Buffer {
  return isIP(name) ? der(0x87, ipaddr.parse(name).toByteArray()) : der(0x82, Buffer.from(name));
}

function distinguishedName(name: string): Buffer {
  const attribute = sequence(der(0x06, OID.commonName), der(0x0c, Buffer.from(name)));
  return sequence(der(0x31, attribute));
}

function time(date: Date): Buffer {
  const digits = date.toISOString().replace(/\.\d+|[-:T]/g, '');
  // Until 2049, RFC 5280 requires two-digit years.
  return digits < '2050' ? der(0x17, Buffer.from(digits.slice(2))) : der(0x18, Buffer.from(digits));
}

function extension(id: number[], value: Buffer, isCritical = false): Buffer {
  const critical = isCritical ? [der(0x01, [0xff])] : [];
  return sequence(der(0x06, id), ...critical, der(0x04, value));
}

function sequence(...parts: Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts));
}

/** A tag, the length, the content. */
function der(tag: number, content: Uint8Array | readonly number[]): Buffer {
  const { length } = content;
  const size =
    length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), Buffer.from(content)]);
}
