const YEAR_SECONDS = 365 * 24 * 60 * 60;

/**
 * On every answer, whoever makes it. Only our own pages may embed one; pages that CORS_ORIGINS names
 * read them by CORS, which this does not concern. A page may say more, or something else for itself.
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
