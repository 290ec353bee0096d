import { isIPv4, isIPv6 } from 'node:net';

/**
 * The network that a client is counted as. An IPv6 client can use any address in a /64, so the whole /64
 * is one client. Some proxies append a port, which is ignored.
 */
export function networkOf(address: string): string {
  const host = withoutPort(address);
  if (!isIPv6(host)) return host;
  const groups = groupsOf(host);
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (isMapped) return groups.slice(6).flatMap(bytesOf).join('.');
  const network = groups.slice(0, 4).map((group) => group.toString(16));
  return `${network.join(':')}::/64`;
}

function withoutPort(address: string): string {
  const [, bracketed] = /^\[([^\]]+)\](?::\d+)?$/.exec(address) ?? [];
  if (bracketed !== undefined) return bracketed;
  const [, plain] = /^([\d.]+):\d+$/.exec(address) ?? [];
  return plain !== undefined && isIPv4(plain) ? plain : address;
}

/** The eight groups of an IPv6 address, without its zone. */
function groupsOf(address: string): number[] {
  const [bare = ''] = address.split('%', 1);
  const [head = '', tail] = bare.split('::');
  const left = parseGroups(head);
  if (tail === undefined) return left;
  const right = parseGroups(tail);
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => 0);
  return [...left, ...zeros, ...right];
}

function parseGroups(text: string): number[] {
  if (text === '') return [];
  return text.split(':').flatMap((group) => {
    if (!group.includes('.')) return [Number.parseInt(group, 16)];
    const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number);
    return [a * 256 + b, c * 256 + d];
  });
}

function bytesOf(group: number): [number, number] {
  return [group >> 8, group & 0xff];
}
