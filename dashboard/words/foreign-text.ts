const MAX_LENGTH = 120
/** Control, bidirectional and invisible characters can make a text look like another text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that are replaced
const HIDDEN = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g

/** Foreign text, safe to show: invisible characters become ␣. */
export const visibleText = (text: string): string => text.replace(HIDDEN, '␣')

/** The same for a text of several lines; line breaks are kept. */
export const visibleLines = (text: string): string => text.split('\n').map(visibleText).join('\n')

/** As `visibleText`, at most 120 characters long. */
export function shortText(text: string, length = MAX_LENGTH): string {
  const visible = visibleText(text)
  return visible.length <= length ? visible : `${visible.slice(0, length - 1)}…`
}

/** A path cut in its middle, so that its start and its last segment stay: "/reference/…/replay-protection". */
export function middleCut(path: string, length = 64): string {
  const visible = visibleText(path)
  if (visible.length <= length) return visible
  const segments = visible.split('/')
  const last = `/${segments.at(-1) ?? ''}`
  let head = ''
  for (const segment of segments.slice(1, -1)) {
    if (`${head}/${segment}/…${last}`.length > length) break
    head += `/${segment}`
  }
  const cut = `${head}/…${last}`
  if (cut.length <= length) return cut
  const half = Math.floor((length - 1) / 2)
  return `${visible.slice(0, half)}…${visible.slice(-half)}`
}
