import { CallFailed, CallRefused } from './safe-fetch.ts';

const UNREACHABLE = new Set(['EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT', 'ABORT_ERR']);
const CLOSED = new Set([
  'ECONNRESET',
  'EPIPE',
  'UND_ERR_SOCKET',
  'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
]);

/** The error for the caller. The original names addresses or quotes headers and bodies. */
export function describeFailure(error: unknown): CallRefused | CallFailed {
  if (error instanceof CallRefused || error instanceof CallFailed) return error;
  const { cause, code = '', message, name } = error as NodeJS.ErrnoException & { cause?: unknown };
  if (cause instanceof Error) return describeFailure(cause);
  if (message === 'bad port') {
    return new CallRefused('the port is reserved for another protocol');
  }
  if (code === 'ECONNREFUSED') {
    return new CallFailed('network', 'the server refused the connection');
  }
  if (UNREACHABLE.has(code)) {
    return new CallFailed('network', 'the server cannot be reached');
  }
  if (CLOSED.has(code)) {
    const problem = 'the server closed the connection before its response was complete';
    return new CallFailed('network', problem);
  }
  if (code === 'UND_ERR_HEADERS_OVERFLOW') {
    return new CallFailed('too_large', 'the response headers are too large');
  }
  if (name === 'HTTPParserError' || /^(Z_|ERR__|ZSTD_)/.test(code)) {
    return new CallFailed('bad_answer', 'the response is not valid HTTP');
  }
  return new CallFailed('network', 'the network connection failed');
}

/** An error before the connection was secure. */
export function describeTlsFailure(error: unknown): CallFailed {
  const { code = '' } = error as NodeJS.ErrnoException;
  if (code === 'CERT_HAS_EXPIRED') return badCertificate('it has expired');
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return badCertificate('it is for another name');
  if (/CERT|ISSUER|SIGNATURE|CRL/.test(code)) {
    return badCertificate('it was not issued by a trusted authority');
  }
  return new CallFailed('tls', 'the TLS handshake failed');
}

function badCertificate(reason: string): CallFailed {
  return new CallFailed('tls', `the certificate is not valid: ${reason}`);
}
