/** What was observed of each host and day: the answer of `getCoverage`. */
import type { Meta } from '../../src/contract/site-api/index.ts'
import type { Window } from '../../src/contract/vocabulary.ts'

export type CoverageReason =
  | 'backfill'
  | 'sampled'
  | 'capped'
  | 'filtered'
  | 'stale'
  | 'unreadable_lines'
  | 'no_signal'
  | 'collection_interrupted'

export interface CoverageDay {
  date: string
  state: 'complete' | 'partial' | 'gap'
  minutes: number | null
  sampling: number | null
  reasons: CoverageReason[]
  source_id: string | null
}

export interface Coverage {
  meta: Meta
  days: CoverageDay[]
  hosts: { host: string; days: CoverageDay[] }[]
}

export interface CoverageRead {
  getCoverage: { input: { site: string; window?: Window }; output: Coverage }
}
