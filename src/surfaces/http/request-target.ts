/** The first check of all: a request target that no rule can be applied to (rules 1, step 1). */
import { RequestProblem } from './problems.ts'

/** Characters of path and query together; far above every valid request, whose longest part is a 300-character site. */
const TARGET_LIMIT = 8_192

/** Throws a 400 problem for a target that is too long, not a path, or wrongly percent-encoded. */
export function checkTarget(target: string): void {
  if (target.length > TARGET_LIMIT) {
    throw malformed(`The URL has ${target.length} characters; at most ${TARGET_LIMIT} are allowed.`)
  }
  if (!/^(?:https?:\/\/[^/]+)?\/[!-~]*$/i.test(target) || target.includes('#')) {
    throw malformed(
      'The request target must be a path in printable ASCII, without a fragment; percent-encode the rest.',
    )
  }
  if (decodesTo(target) === null) {
    throw malformed('The URL holds a percent sign that is not followed by two hexadecimal digits of valid UTF-8.')
  }
}

/** The query string of a target as it was sent, without the question mark. */
export function queryOf(target: string): string {
  const start = target.indexOf('?')
  return start === -1 ? '' : target.slice(start + 1)
}

/**
 * The target with a path that a router can read: segments that are too long for it are cut, and those that are wrongly
 * encoded lose their percent signs. Such a segment was no id before and is none afterwards.
 */
export function legiblePath(target: string, segment_limit: number): string {
  const [path = '', ...query] = target.split('?')
  const segments = path.split('/').map((segment) => {
    const cut = segment.slice(0, segment_limit)
    return decodesTo(cut) === null ? cut.replaceAll('%', '_') : cut
  })
  return [segments.join('/'), ...query].join('?')
}

/** Null when the text is not valid percent-encoded UTF-8. */
export function decodesTo(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

const malformed = (detail: string) => new RequestProblem('malformed_request', detail)
