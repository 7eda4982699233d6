/**
 * How a product token is matched in a user agent: in any case, without an ASCII letter or digit beside it, so that
 * linerbot does not match OnlinerBot. A token that ends in '/' is followed by its version, so it has no right boundary.
 */
export const LEFT_BOUNDARY = '(?<![a-z0-9])'

/** The pattern of one token with its right boundary, for use behind LEFT_BOUNDARY with flag `i` (decisions 3.3). */
export function tokenSource(token: string): string {
  return token.endsWith('/') ? RegExp.escape(token) : `${RegExp.escape(token)}(?![a-z0-9])`
}

/** The pattern source that matches any of the sources; without sources it never matches. */
export function anyOf(sources: readonly string[]): string {
  return sources.length === 0 ? '(?!)' : `(?:${sources.join('|')})`
}
