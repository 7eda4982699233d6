/** Whether stored secrets can be decrypted with the secret key in use (decisions 3.7). */
import { type Clock, DAY_MS } from '#clock.ts'
import type { ControlStore, ControlTransaction } from '#control/store.ts'
import { countOf, formatCount } from '#quantities.ts'
import { type Finding, finding } from './findings.ts'

export interface SecretsContext {
  control: ControlStore
  clock: Clock
  secrets: { isSealedWithOwnKey(sealed: string): boolean }
}

interface Sealed {
  what: string
  sealed: string | null
}

/** Orders further apart are in no revenue answer together. */
const ORDERS_COMPARED_MS = 30 * DAY_MS

/** For the log of a service that starts. */
export async function warnOfForeignSecrets(
  context: SecretsContext,
  log: { warn(fields: object, message: string): void },
): Promise<void> {
  for (const { level, code, message } of await checkSecrets(context)) if (level === 'warn') log.warn({ code }, message)
}

/** Nothing where nothing is sealed. */
export async function checkSecrets(context: SecretsContext): Promise<Finding[]> {
  const { all, foreign, replaced_order_keys } = await readSecrets(context)
  const found: Finding[] = []
  if (foreign.length > 0) found.push(finding('secret_key_differs', foreignMessage(all.length, foreign)))
  else if (all.length > 0)
    found.push(finding('secrets', `${countOf(all.length, 'stored secret')}, all sealed with the secret key in use.`))
  if (replaced_order_keys > 0) {
    const sites = countOf(replaced_order_keys, 'site')
    found.push(finding('order_keys_replaced', `Orders of ${sites} from before and after do not match.`))
  }
  return found
}

async function readSecrets({ control, clock, secrets }: SecretsContext) {
  return control.snapshot(async (trx) => {
    const all = (await readSealed(trx)).filter(({ sealed }) => sealed !== null)
    const earlier = await trx
      .selectFrom('earlier_order_keys')
      .select('site_id')
      .distinct()
      .where('replaced_at', '>', clock.now() - ORDERS_COMPARED_MS)
      .execute()
    const foreign = all.filter(({ sealed }) => sealed !== null && !secrets.isSealedWithOwnKey(sealed))
    return { all, foreign, replaced_order_keys: earlier.length }
  })
}

async function readSealed(trx: ControlTransaction): Promise<Sealed[]> {
  const zones = await trx.selectFrom('zones').select('sealed_token').execute()
  const engines = await trx.selectFrom('engine_settings').select('sealed_key').execute()
  const searches = await trx.selectFrom('search_connections').select('sealed_key').execute()
  const receivers = await trx
    .selectFrom('alert_receivers')
    .select(['kind', 'sealed_secret', 'sealed_unsubscribe_token'])
    .execute()
  const trackers = await trx
    .selectFrom('trackers')
    .select('sealed_order_key')
    .where('disabled_at', 'is', null)
    .execute()
  return [
    ...zones.map(({ sealed_token }) => ({ what: 'tokens of Cloudflare zones', sealed: sealed_token })),
    ...engines.map(({ sealed_key }) => ({ what: 'keys of engines', sealed: sealed_key })),
    ...searches.map(({ sealed_key }) => ({ what: 'keys of search connections', sealed: sealed_key })),
    ...receivers.map((row) => ({
      what: 'receivers of alerts',
      sealed: row.sealed_secret ?? row.sealed_unsubscribe_token,
    })),
    ...trackers.map(({ sealed_order_key }) => ({ what: 'order keys of sites', sealed: sealed_order_key })),
  ]
}

function foreignMessage(total: number, foreign: readonly Sealed[]): string {
  const kinds = [...Map.groupBy(foreign, ({ what }) => what)].map(
    ([what, some]) => `${what}: ${formatCount(some.length)}`,
  )
  const share = foreign.length === total ? 'None' : `Only ${formatCount(total - foreign.length)}`
  return `${share} of ${countOf(total, 'stored secret')} can be opened with the secret key in use. Sealed with another: ${kinds.join(', ')}.`
}
