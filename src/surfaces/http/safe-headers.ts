/** Headers of every answer, also of failures (rules 7). */
export const SAFE_HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
} as const

/** The content security policy of a page without inline scripts, forms and frames; `sources`: what it may load. */
export const pagePolicy = (...sources: readonly string[]): string =>
  [
    "default-src 'none'",
    ...sources,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
