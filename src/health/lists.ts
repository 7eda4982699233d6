/** The published lists of addresses: without them no claim is proved or refuted. */
import { DAY_MS, HOUR_MS } from '#clock.ts'
import { readSetting } from '#control/settings.ts'
import { describeLists, type ListSummary } from '#crawlers/identity/lists/describe-lists.ts'
import { openRegistryStore, REGISTRY_VERSION } from '#crawlers/registry/registry-store.ts'
import { nameSome } from '#quantities.ts'
import type { DiagnosticContext } from './check-health.ts'
import { type Finding, finding } from './findings.ts'

/** Checks that published lists of addresses are loaded and recent. */
export async function checkLists({ control, clock }: DiagnosticContext): Promise<Finding[]> {
  if ((await readSetting(control.db, REGISTRY_VERSION)) === null) return []
  const lists = (await describeLists({ control, clock, registries: openRegistryStore(control) })).filter(
    (list) => list.crawlers.length > 0,
  )
  const held = lists.filter((list) => list.state === 'in_force')
  const stale = lists.filter((list) => list.state === 'stale')
  const failing = lists.filter((list) => list.failure !== null)
  const found = [
    ...(stale.length === 0 ? [] : [finding('lists_stale', `${idsOf(stale)}.`)]),
    ...(failing.length === 0 ? [] : [finding('lists_failing', `${idsOf(failing)}.`)]),
  ]
  if (held.length + stale.length === 0) found.push(finding('lists_missing', `None of ${lists.length} lists is loaded.`))
  if (found.length > 0) return found
  const oldest = Math.min(...held.map((list) => Date.parse(list.confirmed_at as string)))
  return [
    finding(
      'lists',
      `${held.length} of ${lists.length} lists are in force, the oldest confirmed ${age(clock.now() - oldest)} ago.`,
    ),
  ]
}

function age(ms: number): string {
  return ms < 2 * DAY_MS ? `${Math.max(0, Math.floor(ms / HOUR_MS))} hours` : `${Math.floor(ms / DAY_MS)} days`
}

const idsOf = (lists: readonly ListSummary[]) => nameSome(lists.map((list) => list.id))
