/** Jumps of the machine's clock, simulated for the service alone by libfaketime (Debian: faketime). */
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Round, Scenario } from '../scenario.ts'
import { type Attacked, underAttack } from '../under-attack.ts'

const LIBRARY = '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1'
const JUMPS = 10
const BETWEEN_MS = 4_000
const FURTHEST_HOURS = 30
const YEARS = 3
/** Jobs are due at once after a jump; a minute later each has run twice. */
const AHEAD_MS = 75_000

export const clockScenarios: readonly Scenario[] = [
  {
    name: 'clock-jumps',
    does: `the clock jumps ${JUMPS} times, up to ${FURTHEST_HOURS} hours back and forth`,
    holds: 'nothing hangs, and with the clock ahead of all jumps everything is counted',
    cannotRun: () => (existsSync(LIBRARY) ? null : 'libfaketime is not installed'),
    run: (round) => withClock(round, (attacked, file) => jump(attacked, file, round)),
  },
  {
    name: 'clock-years-ahead',
    does: `the clock is ${YEARS} years ahead for ${AHEAD_MS / 1_000} s, while nothing comes in`,
    holds: 'retention deletes nothing, and afterwards everything but sessions goes on as before',
    cannotRun: () => (existsSync(LIBRARY) ? null : 'libfaketime is not installed'),
    run: (round) => withClock(round, (attacked, file) => jumpYears(attacked, file, round)),
  },
]

async function withClock(round: Round, attack: (attacked: Attacked, file: string) => Promise<string>): Promise<string> {
  const file = join(round.folder, 'clock')
  writeFileSync(file, '+0')
  const env = {
    LD_PRELOAD: LIBRARY,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    DONT_FAKE_MONOTONIC: '1',
    NO_FAKE_STAT: '1',
  }
  return underAttack(await round.installed(), (attacked) => attack(attacked, file), { env })
}

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
  // Events from the future are not counted, so at the end the clock must be ahead of all of them.
  await jumpTo(file, FURTHEST_HOURS * 3_600)
  return offsets.join(', ')
}

/** Answers about the history must be the same as before, byte by byte. */
async function jumpYears({ client }: Attacked, file: string, { says }: Round): Promise<string> {
  // Retention must have run once by the true clock.
  await pause(AHEAD_MS)
  await client.rest()
  says(`the clock is ${YEARS} years ahead`)
  await jumpTo(file, YEARS * 365 * 86_400)
  await pause(AHEAD_MS)
  await jumpTo(file, 0)
  // Sessions end by the clock, and those that have ended are deleted.
  client.forgetSession()
  client.goOn()
  await client.works(10)
  return `${YEARS} years`
}

/** Written in place, because the library reads it whenever the clock is read. */
async function jumpTo(file: string, seconds: number): Promise<void> {
  writeFileSync(file, `${seconds < 0 ? '-' : '+'}${Math.abs(seconds)}`)
}
