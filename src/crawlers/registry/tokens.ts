/**
 * How a product token is found in a user agent: any case, and neither neighbour is an ASCII letter or digit, so that
 * linerbot is not found in OnlinerBot. A token that ends in '/' is followed by its version and has no right boundary.
 */
export const LEFT_BOUNDARY = '(?<![a-z0-9])'

/** The pattern of one token with its right boundary, for use behind LEFT_BOUNDARY with flag `i` (decisions 3.3). */
export function tokenSource(token: string): string {
  return token.endsWith('/') ? RegExp.escape(token) : `${RegExp.escape(token)}(?![a-z0-9])`
}

/** The pattern source that finds any of the texts; never matches when there are none. */
export function anyOf(sources: readonly string[]): string {
  return sources.length === 0 ? '(?!)' : `(?:${sources.join('|')})`
}
