import { openPostgresControl } from '#control/postgres.ts'
import { writeSetting } from '#control/settings.ts'
import { openSqliteControl } from '#control/sqlite.ts'

const [, , kind, place = ''] = process.argv
const control = await (kind === 'postgres' ? openPostgresControl(place) : openSqliteControl(place))
await control.transaction((trx) => writeSetting(trx, 'committed', 'yes'))
await control.transaction(async (trx) => {
  await writeSetting(trx, 'uncommitted', 'yes')
  console.log('inside')
  await new Promise((resolve) => setTimeout(resolve, 60_000))
})
