/** A process that runs one leased job on a control store it shares with others, and says what it does. */
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import pino from 'pino'
import { systemClock } from '#clock.ts'
import { openPostgresControl } from '#control/postgres.ts'
import { nextNumber } from '#control/settings.ts'
import { openSqliteControl } from '#control/sqlite.ts'
import { startSchedule } from '#jobs/schedule.ts'

const [place = '', lease_ms = '', run_ms = ''] = process.argv.slice(2)
const control = await (place.startsWith('postgres') ? openPostgresControl(place) : openSqliteControl(place))
const schedule = startSchedule(
  {
    control,
    clock: systemClock(),
    log: pino({ level: 'silent' }),
    is_clock_simulated: false,
    lease_ms: Number(lease_ms),
    look_every_ms: 20,
  },
  [
    {
      name: 'shared',
      every_ms: 50,
      rests_under_simulated_clock: false,
      async run(signal, held) {
        const begin = await control.transaction((trx) => nextNumber(trx, 'order'))
        console.log(`begin ${begin}`)
        await pause(Number(run_ms), undefined, { signal }).catch(() => {})
        const end = await control
          .transaction(async (trx) => {
            await held.check(trx)
            return nextNumber(trx, 'order')
          })
          .catch((error: Error) => error.name)
        console.log(`end ${end}`)
      },
    },
  ],
)
await once(process.stdin, 'data')
await schedule.stop()
await control.close()
console.log('stopped')
process.stdin.destroy()
