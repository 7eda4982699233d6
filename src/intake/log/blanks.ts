/** Trims without patterns: one that ends in `$` is tried at every blank, so the time grows with the square of a run. */

/** The text without blanks and tabs at its ends. trim() would also remove the byte A0, with which many letters end. */
export function trimBlanks(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && isBlank(text.charCodeAt(start))) start += 1
  while (end > start && isBlank(text.charCodeAt(end - 1))) end -= 1
  return text.slice(start, end)
}

/** The text without CR and LF at its end. */
export function trimLineEnd(text: string): string {
  let end = text.length
  while (end > 0 && (text.charCodeAt(end - 1) === LF || text.charCodeAt(end - 1) === CR)) end -= 1
  return text.slice(0, end)
}

const TAB = 9
const LF = 10
const CR = 13
const BLANK = 32

function isBlank(code: number): boolean {
  return code === BLANK || code === TAB
}
