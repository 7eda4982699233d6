/** One of several processes that do the same at the same moment on one PostgreSQL database, and say what came of it. */
import { once } from 'node:events'
import { ensureInstallation } from '#accounts/ensure-installation.ts'
import { systemClock } from '#clock.ts'
import { openPostgresControl } from '#control/postgres.ts'
import { nextNumber, readSetting, writeSetting } from '#control/settings.ts'
import { addSite } from '#sites/sites.ts'

const clock = systemClock()
console.log('ready')
await once(process.stdin, 'data')
const control = await openPostgresControl(process.argv[2] ?? '')
const installation = await ensureInstallation(control, clock)
const numbers = await Promise.all(
  Array.from({ length: 20 }, (_, n) =>
    n % 2 === 0 ? nextNumber(control.db, 'next_build') : control.transaction((trx) => nextNumber(trx, 'next_build')),
  ),
)
const site = await addSite({ control, clock }, { ...installation, domain: 'example.com' }).then(
  (added) => added.id,
  (error) => `${error.kind}: ${error.message}`,
)
const add = () =>
  control.transaction(async (trx) => {
    const sum = Number((await readSetting(trx, 'sum')) ?? '0')
    await writeSetting(trx, 'sum', String(sum + 1))
  })
await Promise.all(Array.from({ length: 20 }, add))
await control.close()
console.log(JSON.stringify({ user_id: installation.user_id, created: installation.created, numbers, site }))
process.stdin.destroy()
