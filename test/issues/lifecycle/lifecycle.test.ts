import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '#clock.ts'
import type { LifeChange } from '#contract/vocabulary.ts'
import {
  advance,
  type InspectionFinding,
  type IssueLife,
  type LifeEvidence,
  openLife,
} from '#issues/lifecycle/lifecycle.ts'

const T = Date.parse('2026-11-10T00:00:00Z')
const evidence = (now: number, given: Partial<LifeEvidence> = {}): LifeEvidence => ({
  now,
  last_harm_at: null,
  is_harmed_after_fix: false,
  organic_success_at: null,
  is_quiet_day: false,
  is_refuted: false,
  ...given,
})
const inspected = (at: number, outcome: InspectionFinding['outcome']): InspectionFinding => ({ at, outcome })
const opened = openLife(T, T)
const afterBaseline = (outcome: InspectionFinding['outcome']) =>
  advance(opened, evidence(T + 60_000), inspected(T + 60_000, outcome)).life
const fixed: IssueLife = { ...opened, state: 'fix_detected', baseline: 'yes', fix_detected_at: T + 2 * DAY_MS }
const confirmed: IssueLife = { ...fixed, fix_confirmed_at: T + 3 * DAY_MS }
const success = { organic_success_at: T + 3 * DAY_MS }

/** One row of the table of rules 8.2 each: life, evidence, inspection, and what follows. */
const ROWS: [string, IssueLife, LifeEvidence, InspectionFinding | null, IssueLife['state'], readonly LifeChange[]][] = [
  [
    'clean after a baseline that reproduced the harm',
    ...([afterBaseline('harmed'), evidence(T + 30 * HOUR_MS), inspected(T + 30 * HOUR_MS, 'clean')] as const),
    ...(['fix_detected', ['fix_detected']] as const),
  ],
  [
    'clean after a baseline that did not, without a quiet day',
    ...([afterBaseline('clean'), evidence(T + 30 * HOUR_MS), inspected(T + 30 * HOUR_MS, 'clean')] as const),
    ...(['open', []] as const),
  ],
  [
    'clean after a baseline that did not, with a quiet day but no success',
    afterBaseline('clean'),
    evidence(T + 30 * HOUR_MS, { is_quiet_day: true }),
    inspected(T + 30 * HOUR_MS, 'clean'),
    ...(['open', []] as const),
  ],
  [
    'clean after a baseline that did not, with a quiet day and organic success',
    afterBaseline('clean'),
    evidence(T + 80 * HOUR_MS, { is_quiet_day: true, ...success }),
    inspected(T + 79 * HOUR_MS, 'clean'),
    ...(['fix_detected', ['fix_detected']] as const),
  ],
  [
    'one clean inspection while the harm is younger than a day',
    ...([afterBaseline('harmed'), evidence(T + 5 * HOUR_MS), inspected(T + 5 * HOUR_MS, 'clean')] as const),
    ...(['open', []] as const),
  ],
  [
    'a second clean one half an hour later',
    { ...afterBaseline('harmed'), clean_since: T + 5 * HOUR_MS },
    evidence(T + 5.5 * HOUR_MS),
    inspected(T + 5.5 * HOUR_MS, 'clean'),
    ...(['open', []] as const),
  ],
  [
    'a second clean one an hour later',
    { ...afterBaseline('harmed'), clean_since: T + 5 * HOUR_MS },
    evidence(T + 6 * HOUR_MS),
    inspected(T + 6 * HOUR_MS, 'clean'),
    ...(['fix_detected', ['fix_detected']] as const),
  ],
  [
    'clean before the newest harm',
    afterBaseline('harmed'),
    evidence(T + 60 * HOUR_MS, { last_harm_at: T + 30 * HOUR_MS }),
    inspected(T + 29 * HOUR_MS, 'clean'),
    ...(['open', []] as const),
  ],
  [
    'served to us only, with a quiet day of success',
    afterBaseline('served_to_us_only'),
    evidence(T + 80 * HOUR_MS, { is_quiet_day: true, ...success }),
    inspected(T + 79 * HOUR_MS, 'served_to_us_only'),
    ...(['fix_detected', ['fix_detected']] as const),
  ],
  [
    'a path that is never fetched, with a quiet day of success',
    opened,
    evidence(T + 80 * HOUR_MS, { is_quiet_day: true, ...success }),
    inspected(T + 60_000, 'not_possible'),
    ...(['fix_detected', ['fix_detected']] as const),
  ],
  [
    'served while robots.txt is not known, with a quiet day of success',
    afterBaseline('served'),
    evidence(T + 80 * HOUR_MS, { is_quiet_day: true, ...success }),
    inspected(T + 79 * HOUR_MS, 'served'),
    ...(['fix_detected', ['fix_detected']] as const),
  ],
  [
    'served while robots.txt is not known, and nothing else',
    ...([afterBaseline('harmed'), evidence(T + 80 * HOUR_MS), inspected(T + 79 * HOUR_MS, 'served')] as const),
    ...(['open', []] as const),
  ],
  [
    'no inspection at all',
    opened,
    evidence(T + 80 * HOUR_MS, { is_quiet_day: true, ...success }),
    null,
    ...(['open', []] as const),
  ],
  [
    'an inspection of before the harm',
    opened,
    evidence(T + 80 * HOUR_MS, { is_quiet_day: true, ...success }),
    inspected(T - HOUR_MS, 'clean'),
    ...(['open', []] as const),
  ],
  [
    'organic success after the fix',
    ...([fixed, evidence(T + 3 * DAY_MS + 1, success), null] as const),
    ...(['fix_detected', ['fix_confirmed']] as const),
  ],
  [
    'a clean inspection after the fix, which confirms nothing',
    ...([fixed, evidence(T + 4 * DAY_MS), inspected(T + 4 * DAY_MS, 'clean')] as const),
    ...(['fix_detected', []] as const),
  ],
  [
    'harm after the fix',
    fixed,
    evidence(T + 3 * DAY_MS, { is_harmed_after_fix: true, last_harm_at: T + 3 * DAY_MS - 1 }),
    ...([null, 'regressed', ['regressed']] as const),
  ],
  [
    'harm after the confirmation',
    confirmed,
    evidence(T + 20 * DAY_MS, { is_harmed_after_fix: true, last_harm_at: T + 20 * DAY_MS - 1, ...success }),
    ...([null, 'regressed', ['regressed']] as const),
  ],
  [
    'harmful requests that do not meet the rule by themselves',
    fixed,
    evidence(T + 3 * DAY_MS, { last_harm_at: T + 3 * DAY_MS - 1 }),
    ...([null, 'fix_detected', []] as const),
  ],
  ['a refutation', opened, evidence(T + DAY_MS, { is_refuted: true }), null, 'withdrawn', ['withdrawn']],
  [
    'a refutation of a fix',
    confirmed,
    evidence(T + 4 * DAY_MS, { is_refuted: true }),
    null,
    'withdrawn',
    ['withdrawn'],
  ],
  ['89 days without harm', opened, evidence(T + 89 * DAY_MS), null, 'open', []],
  ['90 days without harm', opened, evidence(T + 90 * DAY_MS), null, 'lapsed', ['lapsed']],
  ['90 days without harm after a fix', fixed, evidence(T + 90 * DAY_MS), null, 'lapsed', ['lapsed']],
  ['29 days of a confirmation', confirmed, evidence(T + 32 * DAY_MS), null, 'fix_detected', []],
  ['30 days of a confirmation', confirmed, evidence(T + 33 * DAY_MS), null, 'closed', ['closed']],
  [
    'an issue that has ended',
    { ...opened, state: 'lapsed' },
    evidence(T + 100 * DAY_MS, { last_harm_at: T + 99 * DAY_MS }),
    ...([null, 'lapsed', []] as const),
  ],
]

describe('the life of an issue (rules 8.2)', () => {
  test.each(ROWS)('%s', (_name, life, given, inspection, state, changes) => {
    const moved = advance(life, given, inspection)
    expect(moved.changes).toEqual(changes)
    expect(moved.life.state).toBe(state)
  })

  test('a regression starts again: no fix, no confirmation, no baseline', () => {
    const now = T + 20 * DAY_MS
    const moved = advance(confirmed, evidence(now, { is_harmed_after_fix: true, last_harm_at: now - 1 }), null)
    expect(moved.life).toEqual({ ...openLife(now, now - 1), state: 'regressed' })
  })

  test('the confirmation is the instant of the success, set once', () => {
    const first = advance(fixed, evidence(T + 4 * DAY_MS, success), null).life
    expect(first.fix_confirmed_at).toBe(success.organic_success_at)
    const later = advance(first, evidence(T + 6 * DAY_MS, { organic_success_at: T + 5 * DAY_MS }), null)
    expect(later).toEqual({ life: first, changes: [] })
  })
})

type Step = { after: number } & Omit<LifeEvidence, 'now' | 'last_harm_at' | 'organic_success_at'> & {
    harmed: boolean
    succeeded: boolean
    outcome: InspectionFinding['outcome'] | null
  }

const step: fc.Arbitrary<Step> = fc.record({
  after: fc.constantFrom(HOUR_MS / 2, HOUR_MS, 6 * HOUR_MS, DAY_MS, 3 * DAY_MS, 31 * DAY_MS, 91 * DAY_MS),
  harmed: fc.boolean(),
  succeeded: fc.boolean(),
  is_harmed_after_fix: fc.boolean(),
  is_quiet_day: fc.boolean(),
  is_refuted: fc.integer({ min: 0, max: 19 }).map((one) => one === 0),
  outcome: fc.option(
    fc.constantFrom<InspectionFinding['outcome'][]>(
      'clean',
      'clean',
      'served',
      'harmed',
      'served_to_us_only',
      'not_possible',
      'inconclusive',
    ),
  ),
})

/** The table of rules 8.2, read over the whole history anew at each step instead of carried along. */
function plainState(history: readonly { now: number; step: Step }[]): string[] {
  const states: string[] = []
  let state = 'open'
  let since = T
  let fixed_at = 0
  let confirmed_at = 0
  for (const [index, { now, step }] of history.entries()) {
    const past = history.slice(0, index + 1)
    const harms = [T, ...past.filter((one) => one.step.harmed).map((one) => one.now)]
    const last_harm = Math.max(...harms)
    const inspections = past.filter((one) => one.step.outcome !== null && one.now > since)
    const decisive = inspections.filter(
      ({ step: { outcome } }) => outcome !== 'not_possible' && outcome !== 'inconclusive',
    )
    const newest = inspections.at(-1)
    if (state === 'open' || state === 'regressed') {
      if (step.is_refuted) state = 'withdrawn'
      else {
        const shown = step.is_quiet_day && step.succeeded
        const lastUnclean = inspections.findLastIndex(
          (one) => one.step.outcome !== 'clean' || one.now <= harmsBefore(past, one.now),
        )
        const clean = inspections.slice(lastUnclean + 1).filter((one) => one.now > last_harm)
        const first = clean[0]
        const isClean = newest !== undefined && clean.includes(newest) && first !== undefined
        const mayTrust = decisive[0]?.step.outcome === 'harmed' || shown
        const isOld = now - last_harm >= DAY_MS
        const mayMove = isClean && mayTrust && (isOld || newest.now - first.now >= HOUR_MS)
        const byEvidence = shown && ['served', 'served_to_us_only', 'not_possible'].includes(newest?.step.outcome ?? '')
        if (mayMove || byEvidence) {
          state = 'fix_detected'
          fixed_at = mayMove ? newest.now : now
          confirmed_at = 0
        } else if (now - last_harm >= 90 * DAY_MS) state = 'lapsed'
      }
    } else if (state === 'fix_detected') {
      if (step.is_refuted) state = 'withdrawn'
      else if (step.is_harmed_after_fix) {
        state = 'regressed'
        since = now
      } else if (confirmed_at === 0 && step.succeeded) confirmed_at = now
      else if (confirmed_at === 0 && now - last_harm >= 90 * DAY_MS) state = 'lapsed'
      else if (confirmed_at !== 0 && now - confirmed_at >= 30 * DAY_MS) state = 'closed'
    }
    states.push(`${state} ${state === 'fix_detected' ? `${fixed_at} ${confirmed_at}` : ''}`)
  }
  return states
}

/** The newest harm that was known when this inspection ended. */
const harmsBefore = (past: readonly { now: number; step: Step }[], at: number) =>
  Math.max(T, ...past.filter((one) => one.step.harmed && one.now <= at).map((one) => one.now))

test('random histories agree with a second implementation of the table', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
      let now = T
      const history = steps.map((one) => {
        now += one.after
        return { now, step: one }
      })
      let life = opened
      let newest: InspectionFinding | null = null
      const states = history.map(({ now, step: { outcome, harmed, succeeded, after: _after, ...given } }) => {
        if (outcome !== null) newest = { at: now, outcome }
        const known = { ...given, last_harm_at: harmed ? now : null, organic_success_at: succeeded ? now : null }
        const once = advance(life, { ...evidence(now), ...known }, newest).life
        life = once
        const { state, fix_detected_at, fix_confirmed_at } = life
        const fix = state === 'fix_detected' ? `${fix_detected_at} ${fix_confirmed_at ?? 0}` : ''
        return `${state} ${fix}`
      })
      expect(states).toEqual(plainState(history))
    }),
    { numRuns: 2_000 },
  )
})
