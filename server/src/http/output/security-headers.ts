const YEAR_SECONDS = 365 * 24 * 60 * 60;

/**
 * For every response. Only our own pages may embed it; this does not affect origins in CORS_ORIGINS, which
 * read it through CORS. A page may override these headers.
 */
export function securityHeaders(publicUrl: string): Record<string, string> {
  return {
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Resource-Policy': 'same-origin',
    ...(publicUrl.startsWith('https:') && {
      'Strict-Transport-Security': `max-age=${YEAR_SECONDS}`,
    }),
  };
}
