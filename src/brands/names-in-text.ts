/** Whether a text names a brand, as far as the kind of a question depends on it (account API 2.1). */
import { MentionFinder } from './mentions/find-mentions.ts'

/** True when one of the names stands in the text as words of their own, by the rules for mentions in answers. */
export function isNamedIn(text: string, names: readonly string[]): boolean {
  return finderOf(names).find(text).length > 0
}

/**
 * The finder that was used last: questions come in batches of one brand, and making a finder takes longer than a
 * search.
 */
let last: { key: string; finder: MentionFinder } | undefined

function finderOf(names: readonly string[]): MentionFinder {
  const key = JSON.stringify(names)
  if (last?.key === key) return last.finder
  const finder = new MentionFinder([{ id: '', names: names.map((text) => ({ text })), domains: [] }])
  last = { key, finder }
  return finder
}
