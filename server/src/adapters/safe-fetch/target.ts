import { isIP } from 'node:net';
import { isPublicAddress } from './address.ts';
import { CallRefused, type SafeFetchOptions } from './safe-fetch.ts';

/** A URL that is allowed, as far as can be decided without resolving its name. */
export interface Target {
  url: URL;
  /** A name in ASCII, or an address without brackets. */
  host: string;
  port: number;
  /** Allowed by the operator: its addresses may be private. */
  isAdmitted: boolean;
  /** The variable that would allow it. */
  allowVariable: string;
}

export interface TargetRules {
  /** As `hostKey` writes them. */
  admitted: ReadonlySet<string>;
  ownHost: string;
  allowVariable: string;
  /** Whether what is admitted may be called without TLS. */
  allowsPlainHttp: boolean;
}

/** Reserved for home and company networks, or never assigned because so many networks use them. */
const PRIVATE_SUFFIXES = [
  'localhost',
  'localdomain',
  'local',
  'internal',
  'intranet',
  'private',
  'corp',
  'home',
  'home.arpa',
  'lan',
];

type RuleOptions = Pick<SafeFetchOptions, 'allowVariable' | 'allowsPlainHttp'>;

export function targetRules(
  allowHosts: readonly string[],
  ownOrigin: string,
  { allowVariable = 'MCP_ALLOW_HOSTS', allowsPlainHttp = false }: RuleOptions = {},
): TargetRules {
  const admitted = new Set(allowHosts.map(admittedKey));
  return { admitted, ownHost: new URL(ownOrigin).host, allowVariable, allowsPlainHttp };
}

/** Throws CallRefused, with a message for the person who entered the URL. */
export function parseTarget(text: string, rules: TargetRules): Target {
  requirePlainText(text);
  const url = URL.parse(text);
  requireScheme(url, rules);
  if (!url || !/^https?:\/\/[^/?#]/i.test(text)) throw new CallRefused('this is not a valid URL');
  // The parsed URL does not show an empty user name.
  if (/^https?:\/\/[^/?#]*@/i.test(text)) {
    throw new CallRefused('the URL must not contain a user name or password');
  }
  if (isOwn(url, rules)) throw new CallRefused('this is the address of Atrium itself');

  const host = url.hostname.replace(/^\[|\]$/g, '');
  const isAdmitted = rules.admitted.has(hostKey(url));
  const { allowVariable } = rules;
  if (!isAdmitted) requirePublic(host, allowVariable);
  return { url, host, port: portOf(url), isAdmitted, allowVariable };
}

function requireScheme(url: URL | null, { admitted, allowsPlainHttp, allowVariable }: TargetRules) {
  if (!url || url.protocol === 'https:') return;
  const isHttp = url.protocol === 'http:';
  if (isHttp && allowsPlainHttp && admitted.has(hostKey(url))) return;
  const problem = 'the URL must start with https://';
  throw isHttp && allowsPlainHttp ? refusal(problem, allowVariable) : new CallRefused(problem);
}

export function notPublic(allowVariable: string): CallRefused {
  return refusal('the address is not public', allowVariable);
}

/** The parser would drop tabs and line breaks, and read a backslash as a slash. */
export function requirePlainText(text: string): void {
  if (/[\s\p{Cc}\\]/u.test(text)) {
    throw new CallRefused('the URL contains a space, a backslash or a control character');
  }
}

function requirePublic(host: string, allowVariable: string): void {
  if (isIP(host)) {
    if (!isPublicAddress(host)) throw notPublic(allowVariable);
    return;
  }
  const labels = host.split('.');
  if (labels.includes('')) throw new CallRefused('the name contains an empty label');
  if (labels.length < 2 || PRIVATE_SUFFIXES.some((suffix) => host.endsWith(`.${suffix}`))) {
    throw refusal('the name is not a public internet name', allowVariable);
  }
}

function refusal(problem: string, allowVariable: string): CallRefused {
  return new CallRefused(`${problem} (an operator can allow it with ${allowVariable})`);
}

/** Ignores the scheme: behind a proxy, http: and https: lead to the same server. */
function isOwn(url: URL, { ownHost }: TargetRules): boolean {
  return url.host === ownHost || hostKey(url) === ownHost;
}

function admittedKey(entry: string): string {
  const url = /^[^/?#@\s]+:\d+$/.test(entry) ? URL.parse(`https://${entry}`) : null;
  if (!url) throw new Error(`"${entry}" is not host:port`);
  return hostKey(url);
}

function hostKey(url: URL): string {
  return `${url.hostname}:${portOf(url)}`;
}

function portOf(url: URL): number {
  return Number(url.port || (url.protocol === 'http:' ? 80 : 443));
}
