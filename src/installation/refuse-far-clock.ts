import { type Clock, DAY_MS, instantText, systemClock } from '#clock.ts'
import type { ControlStore } from '#control/store.ts'
import { Refusal } from '#refusal.ts'

/** Ten years, with as many leap days as ten years can have. */
const MAX_CLOCK_AHEAD_MS = 3_653 * DAY_MS

/**
 * Bounds a service clock that a person chose: a mistyped year would make every window empty and mark days as unobserved
 * that have not happened.
 * @throws Refusal invalid_input: more than 10 years after the newest evidence, else after the machine's clock.
 */
export async function refuseFarClock(control: ControlStore, clock: Clock): Promise<void> {
  const now = clock.now()
  const newest = await newestEvidence(control)
  const from = newest ?? systemClock().now()
  if (now <= from + MAX_CLOCK_AHEAD_MS) return
  const what = newest === null ? 'the clock of this machine' : 'the newest evidence'
  throw new Refusal(
    'invalid_input',
    `--clock ${instantText(now)} is more than 10 years after ${what} (${instantText(from)}): ` +
      `give an instant up to ${instantText(from + MAX_CLOCK_AHEAD_MS)}, or leave --clock out to use the clock of this machine.`,
  )
}

/** Of both kinds of evidence; null: there is none. */
async function newestEvidence({ db }: ControlStore): Promise<number | null> {
  const [requests, events] = await Promise.all([
    db
      .selectFrom('sources')
      .select((select) => select.fn.max<number | null>('data_through').as('at'))
      .executeTakeFirst(),
    db
      .selectFrom('trackers')
      .select((select) => select.fn.max<number | null>('last_event_at').as('at'))
      .executeTakeFirst(),
  ])
  const known = [requests?.at, events?.at].flatMap((at) => (at === null || at === undefined ? [] : [Number(at)]))
  return known.length === 0 ? null : Math.max(...known)
}
