import type { Harm } from '#contract/vocabulary.ts'
import { quoted } from '#foreign-text.ts'
import { pathV1 } from '#paths/path-v1.ts'
import { Refusal } from '#refusal.ts'

const MAX_PATH_CHARACTERS = 1_024

/**
 * Reads the path of a mark. Patterns of robots rules may contain `*` anywhere. Other paths become path/v1, because a
 * mark in another spelling, or with a query, would match nothing.
 * @throws Refusal invalid_input.
 */
export function readMarkedPath(path: string, harm: Harm): string {
  const isPath = path.startsWith('/') && !/[*?#]/.test(path.slice(0, -1)) && !/[?#]$/.test(path)
  const isPattern = harm === 'robots' && /^[/*]/.test(path)
  if ((isPath || isPattern) && path.length <= MAX_PATH_CHARACTERS) return isPattern ? path : storedPath(path)
  const allowed =
    harm === 'robots' ? 'the pattern of a rule such as /*.pdf$' : 'a path without a query, such as /pricing'
  throw new Refusal(
    'invalid_input',
    `The path is ${quoted(path)}; allowed is ${allowed}, or a prefix such as /private/*, of at most ${MAX_PATH_CHARACTERS} characters.`,
  )
}

const storedPath = (path: string): string =>
  path.endsWith('*') ? `${pathV1(path.slice(0, -1)).path}*` : pathV1(path).path
