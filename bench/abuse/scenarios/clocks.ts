/** Jumps of the machine's clock, played to the service alone by libfaketime (Debian: faketime). */
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Round, Scenario } from '../scenario.ts'
import { type Attacked, underAttack } from '../under-attack.ts'

const LIBRARY = '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1'
const JUMPS = 10
const BETWEEN_MS = 4_000
const FURTHEST_HOURS = 30

export const clockScenarios: readonly Scenario[] = [
  {
    name: 'clock-jumps',
    does: `the clock jumps ${JUMPS} times, up to ${FURTHEST_HOURS} hours back and forth`,
    holds: 'nothing hangs, and with the clock ahead of all jumps everything is counted',
    cannotRun: () => (existsSync(LIBRARY) ? null : 'libfaketime is not installed'),
    run: async (round) => {
      const file = join(round.folder, 'clock')
      writeFileSync(file, '+0')
      const env = {
        ...{ LD_PRELOAD: LIBRARY, FAKETIME_TIMESTAMP_FILE: file, FAKETIME_NO_CACHE: '1' },
        ...{ FAKETIME_DONT_FAKE_MONOTONIC: '1', DONT_FAKE_MONOTONIC: '1', NO_FAKE_STAT: '1' },
      }
      return underAttack(await round.installed(), (attacked) => jump(attacked, file, round), { env })
    },
  },
]

async function jump({ client }: Attacked, file: string, { random, says }: Round): Promise<string> {
  client.compares_history = false
  const offsets: string[] = []
  for (let time = 0; time < JUMPS; time++) {
    const seconds = Math.round((random() * 2 - 1) * FURTHEST_HOURS * 3_600)
    await jumpTo(file, seconds)
    offsets.push(`${Math.round(seconds / 3_600)} h`)
    says(`the clock is ${offsets.at(-1)} away`)
    await pause(BETWEEN_MS)
    await client.works(1)
  }
  // What was received later than now is not counted, so in the end no event may be of the future.
  await jumpTo(file, FURTHEST_HOURS * 3_600)
  return offsets.join(', ')
}

/** Written in place, because the library reads it at every look at the clock. */
async function jumpTo(file: string, seconds: number): Promise<void> {
  writeFileSync(file, `${seconds < 0 ? '-' : '+'}${Math.abs(seconds)}`)
}
