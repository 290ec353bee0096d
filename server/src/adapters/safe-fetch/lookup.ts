import { lookup, Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { isPublicAddress } from './address.ts';
import { CallFailed, CallRefused } from './safe-fetch.ts';
import { notPublic, type Target } from './target.ts';

const LOOK_UP_MS = 5_000;
const FIRST_TRY_MS = 1_500;
const TRIES = 2;
const NO_SUCH_NAME = 'the name does not exist';
const NO_ANSWER = 'the name could not be resolved: the resolver did not respond';

/** Finds the addresses of a target. All of them are allowed. */
export function createLookup(dnsServers: readonly string[]) {
  // Also at startup, so that an invalid resolver address is reported then.
  resolverFor(dnsServers);

  return async (target: Target, signal: AbortSignal): Promise<string[]> => {
    const { host, isAdmitted, allowVariable } = target;
    if (isIP(host)) return [host];
    const addresses = await addressesOf(target, dnsServers, signal);
    if (!isAdmitted && !addresses.every(isPublicAddress)) throw notPublic(allowVariable);
    return addresses;
  };
}

function resolverFor(servers: readonly string[]): Resolver {
  const resolver = new Resolver({ timeout: FIRST_TRY_MS, tries: TRIES });
  if (servers.length > 0) resolver.setServers(servers);
  return resolver;
}

async function addressesOf(
  { host, isAdmitted }: Target,
  servers: readonly string[],
  signal: AbortSignal,
): Promise<string[]> {
  signal.throwIfAborted();
  // RFC 6761: resolvers are not asked for this name.
  if (/(^|\.)localhost$/.test(host)) return ['127.0.0.1', '::1'];
  const resolver = resolverFor(servers);
  const stop = AbortSignal.any([signal, AbortSignal.timeout(LOOK_UP_MS)]);
  const isStopped = new Promise<never>((_resolve, reject) => {
    stop.addEventListener('abort', () => {
      resolver.cancel();
      reject(signal.aborted ? signal.reason : new CallFailed('dns', NO_ANSWER));
    });
  });
  const isOperatorsName = isAdmitted && servers.length === 0;
  const answer = isOperatorsName ? askSystem(host) : askServers(resolver, host);
  return await Promise.race([answer, isStopped]);
}

/**
 * Reads the hosts file, as an operator expects, but blocks one of four threads until the resolver responds,
 * which the owner of a name could delay. So it is never used for names from callers.
 */
async function askSystem(host: string): Promise<string[]> {
  try {
    const found = await lookup(host, { all: true });
    return found.map(({ address }) => address);
  } catch (error) {
    throw whyNot([error]);
  }
}

async function askServers(resolver: Resolver, host: string): Promise<string[]> {
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  // Some resolvers fail only for AAAA. Only found addresses are called, so a partial result is enough.
  const found = answers.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
  if (found.length > 0) return found;
  throw whyNot(answers.flatMap((each) => (each.status === 'rejected' ? [each.reason] : [])));
}

function whyNot(errors: unknown[]): CallRefused | CallFailed {
  const codes = errors.map((error) => (error as NodeJS.ErrnoException).code ?? '');
  if (codes.every((code) => code === 'ENODATA')) return new CallRefused('the name has no address');
  const isKnown = codes.every((code) => ['ENOTFOUND', 'ENODATA', 'EBADNAME'].includes(code));
  return isKnown ? new CallRefused(NO_SUCH_NAME) : new CallFailed('dns', NO_ANSWER);
}
