const VISIBLE = /^[\x21-\x7e]+$/;
const HEADER = /^([A-Za-z0-9!#$%&'*+.^_`|~-]+): *([\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?)$/;
/** Headers that control framing or routing, or that the protocol sets itself. */
const RESERVED_HEADERS = new Set(
  `accept accept-encoding connection content-encoding content-length content-type cookie expect host
   keep-alive last-event-id origin proxy-authorization proxy-connection referer te trailer
   transfer-encoding upgrade user-agent via`.split(/\s+/),
);

/** What is wrong with a secret of this type. Undefined if it is valid. */
export function secretProblem(authType: unknown, secret: unknown): string | undefined {
  const given = typeof secret === 'string' ? secret : undefined;
  if (authType === 'NONE')
    return given === undefined ? undefined : 'must be omitted with authType NONE';
  if (authType === 'BEARER') {
    if (given === undefined) return 'is required with authType BEARER';
    return VISIBLE.test(given) ? undefined : 'must be a token of visible ASCII characters';
  }
  if (authType !== 'API_KEY') return undefined;
  if (given === undefined) return 'is required with authType API_KEY';
  const header = HEADER.exec(given)?.[1];
  if (header === undefined) return 'must have the form HeaderName:value';
  return isReserved(header.toLowerCase())
    ? 'must not set a header of the connection or the protocol'
    : undefined;
}

/** The secret as request headers. */
export function headersOf(authType: string, secret: string | undefined): Record<string, string> {
  if (secret === undefined) return {};
  if (authType === 'BEARER') return { authorization: `Bearer ${secret}` };
  const [, header = '', value = ''] = HEADER.exec(secret) ?? [];
  return header === '' ? {} : { [header]: value };
}

function isReserved(header: string): boolean {
  return header.startsWith('mcp-') || RESERVED_HEADERS.has(header);
}
