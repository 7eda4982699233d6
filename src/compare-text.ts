/** Comparisons of texts for `sort`, which are the same on every machine; those of a locale are not. */

/** By UTF-16 code units, as `<` compares. */
export const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** By UTF-8 bytes, as both stores compare. */
export const compareBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))
