import { isIPv4, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number];

/** IANA's complete special-purpose registry, including reachable ranges without web servers (AS112, AMT, 6to4). */
const SPECIAL_V4 = ranges(
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  // Looks public, but is the host agent on every machine in Azure.
  '168.63.129.16/32',
);

/** No other public IPv6 range is in use. Loopback, ULA, link-local, multicast and ::/96 are all outside. */
const GLOBAL_V6 = ranges('2000::/3');
const SPECIAL_V6 = ranges('2001::/23', '2001:db8::/32', '2620:4f:8000::/48', '3fff::/20');

const MAPPED = ranges('::ffff:0:0/96');
const TRANSLATED = ranges('::ffff:0:0:0/96');
const NAT64 = ranges('64:ff9b::/96');
const SIX_TO_FOUR = ranges('2002::/16');
const TEREDO = ranges('2001::/32');

/** Whether the address is public. False if it is not an address. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return isPublicV4(ipaddr.IPv4.parse(address));
  // An address with a zone id belongs to one of our own networks.
  if (!isIPv6(address) || address.includes('%')) return false;
  const v6 = ipaddr.IPv6.parse(inHex(address));
  const embedded = embeddedV4(v6);
  if (embedded) return embedded.every(isPublicV4);
  return isIn(v6, GLOBAL_V6) && !isIn(v6, SPECIAL_V6) && !isPrivateIsatap(v6);
}

/** ipaddr.js parses ::8.8.8.8, as resolvers write it, as ::ffff:8.8.8.8. */
function inHex(v6: string): string {
  return new URL(`https://[${v6}]/`).hostname.slice(1, -1);
}

function isPublicV4(v4: ipaddr.IPv4): boolean {
  return !isIn(v4, SPECIAL_V4);
}

/**
 * The IPv4 addresses that a packet may end at, for each way to embed them. NAT64's local prefix
 * (64:ff9b:1::/48) is missing, because the position of the IPv4 address differs by network.
 */
function embeddedV4(v6: ipaddr.IPv6): ipaddr.IPv4[] | undefined {
  if (isIn(v6, MAPPED) || isIn(v6, TRANSLATED) || isIn(v6, NAT64)) return [v4At(v6, 6)];
  if (isIn(v6, SIX_TO_FOUR)) return [v4At(v6, 1)];
  // The server, then the client, whose bits are inverted.
  if (isIn(v6, TEREDO)) return [v4At(v6, 2), v4At(v6, 6, 0xffff)];
  return undefined;
}

/** RFC 5214: such an interface id is reached through IPv4, under any prefix. */
function isPrivateIsatap(v6: ipaddr.IPv6): boolean {
  const [, , , , scope, mark] = v6.parts;
  return (scope === 0 || scope === 0x200) && mark === 0x5efe && !isPublicV4(v4At(v6, 6));
}

function v4At(v6: ipaddr.IPv6, index: number, mask = 0): ipaddr.IPv4 {
  const bytes = v6.parts
    .slice(index, index + 2)
    .map((part) => part ^ mask)
    .flatMap((part) => [part >> 8, part & 0xff]);
  return new ipaddr.IPv4(bytes);
}

function ranges(...texts: string[]): Range[] {
  return texts.map((text) => ipaddr.parseCIDR(text));
}

function isIn(address: ipaddr.IPv4 | ipaddr.IPv6, list: Range[]): boolean {
  return list.some(([range, bits]) => address.match(range, bits));
}
