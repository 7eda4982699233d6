/** Switches of a site that decide which reader answers (spec 9, rules 5 and 6). */
import type { Clock } from '#clock.ts'
import type { ControlDb, ControlTransaction } from '#control/store.ts'
import { quoted } from '#foreign-text.ts'
import { Refusal } from '#refusal.ts'

interface GateDefinition {
  is_open_by_default: boolean
  about: string
}

/** Switches off one of the eight analytics readers, which then answers 503; collection goes on (rules 6). */
const reader = (answers: string): GateDefinition => ({
  is_open_by_default: true,
  about: `${answers} are answered; closed: 503`,
})

/** Every gate that there is. */
export const GATES = {
  crawler_authority_v2: {
    is_open_by_default: false,
    about: 'counts of crawlers come from the source assigned to each host; closed: from primary sources',
  },
  analytics_overview_v2: {
    is_open_by_default: false,
    about: 'the overview answers in its second version, with a comparison; closed: in its first',
  },
  analytics_overview_reader: reader('the overview and its trend'),
  analytics_sources_reader: reader('analytics sources'),
  analytics_pages_reader: reader('analytics pages'),
  analytics_conversions_reader: reader('conversions'),
  analytics_funnels_reader: reader('funnel lists'),
  analytics_funnel_reader: reader('single funnels'),
  analytics_journeys_reader: reader('journeys'),
  analytics_revenue_reader: reader('revenue reports'),
} as const satisfies Record<string, GateDefinition>

export type GateName = keyof typeof GATES

export interface Gate {
  name: GateName
  is_open: boolean
  about: string
  /** Epoch milliseconds; null while it stands as it always stood. */
  changed_at: number | null
}

/** Every gate of a site, in the order of the list. */
export async function listGates(db: ControlDb, site_id: string): Promise<Gate[]> {
  const rows = await db.selectFrom('gates').selectAll().where('site_id', '=', site_id).execute()
  return (Object.keys(GATES) as GateName[]).map((name) => {
    const row = rows.find((candidate) => candidate.name === name)
    const { about, is_open_by_default } = GATES[name]
    return row === undefined
      ? { name, is_open: is_open_by_default, about, changed_at: null }
      : { name, is_open: row.is_open === 1, about, changed_at: row.changed_at }
  })
}

/** Ask it in the snapshot that the answer's coverage is read in. */
export async function isGateOpen(db: ControlDb, site_id: string, name: GateName): Promise<boolean> {
  const row = await db
    .selectFrom('gates')
    .select('is_open')
    .where((is) => is.and({ site_id, name }))
    .executeTakeFirst()
  return row === undefined ? GATES[name].is_open_by_default : row.is_open === 1
}

/** Opens or closes a gate; what opening needs besides is done in the same transaction, before. */
export async function setGate(
  tx: ControlTransaction,
  { clock }: { clock: Clock },
  { site_id, name, is_open }: { site_id: string; name: GateName; is_open: boolean },
): Promise<void> {
  const values = { is_open: is_open ? 1 : 0, changed_at: clock.now() } as const
  await tx
    .insertInto('gates')
    .values({ site_id, name, ...values })
    .onConflict((conflict) => conflict.columns(['site_id', 'name']).doUpdateSet(values))
    .execute()
}

/** The gate of this name. @throws Refusal not_found. */
export function gateName(text: string): GateName {
  const names = Object.keys(GATES) as GateName[]
  const name = names.find((candidate) => candidate === text)
  if (name === undefined)
    throw new Refusal('not_found', `There is no gate ${quoted(text)}: give one of ${names.join(', ')}.`)
  return name
}
