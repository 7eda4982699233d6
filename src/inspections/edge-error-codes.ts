/** Errors of Cloudflare itself, with its own error code besides the status (rules 8.1, Cause). */
import type { ISSUE_CAUSES } from '#contract/vocabulary.ts'
import type { ObservedResponse } from './challenge-signals.ts'

type Cause = (typeof ISSUE_CAUSES)[number]

const CODES: Partial<Record<Cause, readonly number[]>> = {
  waf_or_challenge: [1005, 1006, 1007, 1008, 1009, 1010, 1011, 1012, 1015, 1020],
  dns: [1000, 1001, 1002, 1014, 1016, 1018, 1023, 1034],
  http_status: [1003, 1004, 1013, 1035, 1036, 1037, 1040, 1041],
  origin_error: [520, 521, 522, 523, 524, 527, 1019, 1033, 1101, 1102, 1200],
  tls: [525, 526],
}

const CAUSES: ReadonlyMap<number, Cause> = new Map(
  Object.entries(CODES).flatMap(([cause, codes]) => codes.map((code) => [code, cause as Cause] as const)),
)

/** The cause of an error code; null for an unknown code. */
export const causeOfErrorCode = (code: number): Cause | null => CAUSES.get(code) ?? null

/**
 * The error code in the headers or the page of a response; null if there is none. @param text beginning of the body.
 */
export function findErrorCode({ header_lines }: Pick<ObservedResponse, 'header_lines'>, text: string): number | null {
  const stated = header_lines['cf-error-type']?.find((line) => /^(1\d{3}|52\d)$/.test(line))
  const shown =
    /<span\s{1,20}class="cf-error-code">\s{0,20}(\d{3,4})\s{0,20}<\/span>|^\s*error code:\s*(1\d{3})\s*$/i.exec(text)
  const code = stated ?? shown?.[1] ?? shown?.[2]
  return code === undefined ? null : Number(code)
}
