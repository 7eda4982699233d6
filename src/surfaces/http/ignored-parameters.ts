/** A misspelt parameter is ignored like any unknown one; this header names it (rules 1). */
import type { HttpOperation } from '#contract/operation.ts'
import { parametersOf } from './decode-input.ts'

export const IGNORED_PARAMETERS = 'spoor-ignored-parameters'

/** Names of this form are repeated as they were sent; what else a stranger sends is only counted. */
const PLAIN_NAME = /^[a-z_]{1,32}$/
const MAX_NAMES = 10

/**
 * The header that names the query parameters which the operation does not know, in the order in which they were sent;
 * at most ten names, the others as a number at the end: `windw, purposes, 3`. No header when every parameter is known.
 */
export function ignoredParameters(
  { query }: Pick<HttpOperation, 'query'>,
  sent: string,
): Readonly<Record<string, string>> {
  if (sent === '') return {}
  const unknown = [...parametersOf(sent).keys()].filter((name) => !Object.hasOwn(query.properties, name) && name !== '')
  const names = unknown.filter((name) => PLAIN_NAME.test(name)).slice(0, MAX_NAMES)
  const others = unknown.length - names.length
  if (unknown.length === 0) return {}
  return { [IGNORED_PARAMETERS]: [...names, ...(others === 0 ? [] : [String(others)])].join(', ') }
}
