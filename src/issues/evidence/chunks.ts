/** The most ids in one statement. */
const IDS_AT_ONCE = 5_000

/** Splits a list into parts that fit into one statement. */
export function* chunks<T>(items: readonly T[]): Generator<T[]> {
  for (let at = 0; at < items.length; at += IDS_AT_ONCE) yield items.slice(at, at + IDS_AT_ONCE)
}
