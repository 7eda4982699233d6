/** Nodes exchange how much of shared limits each has granted: each writes a row that the others read (ADR 43). */
import type { ControlContext } from '#control/context.ts'
import type { CollectingNode } from '#tracker/collection/collecting-node.ts'
import { addTo } from '#tracker/collection/sums.ts'

/** Bounds the size of a row. */
const MAX_KEYS = 200
/** A key is reported for this many exchanges after its last heavy use, unless another key needs its place. */
const QUIET_EXCHANGES = 10
/** After a longer pause, the reports of others are ignored, because it is not known when they granted these events. */
const MAX_GAP_MS = 3_000

interface Total {
  events: number
  /** Exchanges since its last heavy use. */
  quiet: number
}

/** The report of a node: sums of its epoch, which only grow while a key is reported. */
interface Report {
  epoch: number
  totals: ReadonlyMap<string, number>
}

/** Opens the exchange of one node under its epoch. */
export function openUseExchange(
  { control, clock }: ControlContext,
  { id: node_id, epoch }: { id: string; epoch: number },
): CollectingNode['exchangeUse'] {
  const totals = new Map<string, Total>()
  let reported = '[]'
  let known = new Map<string, Report>()
  let exchanged_at = Number.NEGATIVE_INFINITY
  return async (used, isHeavy) => {
    const at = clock.elapsed()
    addUse(totals, used, isHeavy)
    const sums = JSON.stringify([...totals].map(([key, { events }]) => [key, events]))
    if (sums !== reported) {
      await control.db
        .insertInto('node_use')
        .values({ node_id, epoch, sums })
        .onConflict((conflict) => conflict.column('node_id').doUpdateSet({ epoch, sums }))
        .execute()
      reported = sums
    }
    const rows = await control.db.selectFrom('node_use').selectAll().where('node_id', '!=', node_id).execute()
    const reports = new Map(rows.map((row) => [row.node_id, { epoch: row.epoch, totals: new Map(readSums(row.sums)) }]))
    const others = at - exchanged_at > MAX_GAP_MS ? new Map<string, number>() : usedSince(known, reports)
    known = reports
    exchanged_at = at
    return others
  }
}

const readSums = (sums: string) => JSON.parse(sums) as [string, number][]

/** Adds the use of reported keys, and begins to report other keys in heavy use, the most used first. */
function addUse(
  totals: Map<string, Total>,
  used: ReadonlyMap<string, number>,
  isHeavy: (key: string, events: number) => boolean,
): void {
  for (const [key, total] of totals) {
    const events = used.get(key)
    if (events !== undefined) total.events += events
    total.quiet = events !== undefined && isHeavy(key, events) ? 0 : total.quiet + 1
    if (total.quiet > QUIET_EXCHANGES) totals.delete(key)
  }
  const heavy = [...used].filter(([key, events]) => !totals.has(key) && isHeavy(key, events))
  heavy.sort(([, a], [, b]) => b - a)
  makeRoom(totals, heavy.length)
  for (const [key, events] of heavy.slice(0, MAX_KEYS - totals.size)) totals.set(key, { events, quiet: 0 })
}

/** Ends the reports of keys without heavy use, the least used first, if new keys need their places. */
function makeRoom(totals: Map<string, Total>, wanted: number): void {
  const surplus = totals.size + wanted - MAX_KEYS
  if (surplus <= 0) return
  const quiet = [...totals].filter((entry) => entry[1].quiet > 0).sort(([, a], [, b]) => b.quiet - a.quiet)
  for (const [key] of quiet.slice(0, surplus)) totals.delete(key)
}

/** The growth of all sums between two exchanges. A newly reported sum began at 0. */
function usedSince(before: ReadonlyMap<string, Report>, now: ReadonlyMap<string, Report>): Map<string, number> {
  const used = new Map<string, number>()
  for (const [node_id, { epoch, totals }] of now) {
    const earlier = before.get(node_id)
    const counted = earlier?.epoch === epoch ? earlier.totals : new Map<string, number>()
    for (const [key, total] of totals) {
      const known = counted.get(key)
      const events = known === undefined || total < known ? total : total - known
      if (events > 0) addTo(used, key, events)
    }
  }
  return used
}
