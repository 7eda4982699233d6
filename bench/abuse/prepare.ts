/**
 * Fills a data folder with the demo's history and a second site that honest clients write to, in a separate process,
 * because the engine is opened. Prints the secrets as one JSON object. Run by installed.ts: prepare.ts FOLDER
 */
import pino from 'pino'
import { startSession } from '#accounts/sessions.ts'
import { systemClock } from '#clock.ts'
import { readConfig } from '#config.ts'
import { SITE } from '#demo/stories.ts'
import { openInstallation } from '#installation/open-installation.ts'
import { runOperation } from '#surfaces/operator/operations.ts'
import { playSite } from '../../cli/commands/demo-site.ts'
import { HONEST_SITE, type Secrets } from './installed.ts'

const DAYS = 30
const [data = ''] = process.argv.slice(2)
const config = { ...readConfig(process.env), data, metrics: null }
const clock = systemClock()
await playSite(config, { now: clock.now(), days: DAYS, seed: 1 }, new AbortController().signal)

const installation = await openInstallation({ config, clock, log: pino({ level: 'silent' }), wait_ms: 0 })
try {
  const { operator, control } = installation
  const honest = await runOperation(operator, 'site.add', { domain: HONEST_SITE })
  const key = await runOperation(operator, 'key.create', { name: 'abuse', sites: [] })
  const token = await runOperation(operator, 'token.create', { name: 'abuse', scope: 'write' })
  const source = await runOperation(operator, 'source.add', { site: HONEST_SITE, type: 'https_intake', name: 'web1' })
  const hanging = await runOperation(operator, 'source.token_create', { source: source.id, name: 'hanging' })
  const { public_id } = await runOperation(operator, 'tracker.enable', { site: HONEST_SITE })
  const server_key = await runOperation(operator, 'tracker.key_create', { site: HONEST_SITE, kind: 'server' })
  const { brands } = await runOperation(operator, 'brand.list', { with_archived: false })
  const { sites } = await runOperation(operator, 'site.list', {})
  const session = await startSession(control.db, clock, { user_id: operator.user_id, user_agent: 'abuse' })
  const secrets: Secrets = {
    site_key: key.secret,
    account_token: token.secret,
    session,
    intake_token: source.token.secret,
    hanging_token: hanging.secret,
    public_key: String(public_id),
    server_key: server_key.secret,
    honest_id: honest.id,
    demo_id: String(sites.find(({ root_domain }) => root_domain === SITE)?.id),
    brand_id: String(brands[0]?.id),
  }
  console.log(JSON.stringify(secrets))
} finally {
  await installation.close()
}
