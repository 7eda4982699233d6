/** Limits the values of a JSON line: hundreds of thousands take long to parse, and are not a request. */

/** Requests with all their headers have a few hundred. */
const MAX_PARTS = 4_096

/** Whether a JSON line has more values, keys and brackets than any request. Counts outside strings, in one pass. */
export function hasTooManyParts(line: string): boolean {
  if (line.length <= MAX_PARTS) return false
  let parts = 0
  let in_string = false
  for (let at = 0; at < line.length; at += 1) {
    const code = line.charCodeAt(at)
    if (code === QUOTE) in_string = !in_string
    else if (in_string) {
      if (code === BACKSLASH) at += 1
    } else if (code === COMMA || code === COLON || code === OPEN_LIST || code === OPEN_OBJECT) {
      parts += 1
      if (parts > MAX_PARTS) return true
    }
  }
  return false
}

const QUOTE = 34
const COMMA = 44
const COLON = 58
const OPEN_LIST = 91
const BACKSLASH = 92
const OPEN_OBJECT = 123
