/** Comparisons of texts for `sort`, which are the same on every machine; those of a locale are not. */

/** By UTF-16 code units, as `<` compares. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

/** By UTF-8 bytes, as both stores compare. */
export const compareBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))
