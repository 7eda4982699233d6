/**
 * Kills a collecting service with -9 again and again, under senders that retry with the same ids, and looks at what is
 * stored.
 */
import { setTimeout as pause } from 'node:timers/promises'
import pino from 'pino'
import { systemClock } from '#clock.ts'
import { readConfig } from '#config.ts'
import { openInstallation } from '#installation/open-installation.ts'
import { addSite } from '#sites/sites.ts'
import { startChild, type TestChild } from './child.ts'
import { BROWSER } from './collect.ts'
import { enableTracker } from './tracker.ts'

const CHILD = new URL('collecting.child.ts', import.meta.url)
const SENDERS = 12
/** A kill falls anywhere within this after the service is ready: before, in and after inserts. */
const BUSY_MS = 900
const RETRY_MS = 20

export interface KillReport {
  acknowledged: number
  /** Answers that never came, so that the event was sent again. */
  retried: number
  /** Events that were sent again although they had been acknowledged. */
  repeated: number
}

/** @throws Error with what was lost or doubled. */
export async function killRounds(
  folder: string,
  rounds: number,
  onRound: (round: number, report: KillReport) => void = () => {},
): Promise<KillReport> {
  const key = await prepare(folder)
  const report: KillReport = { acknowledged: 0, retried: 0, repeated: 0 }
  const acknowledged = new Set<string>()
  let url: string | null = null
  let is_over = false
  let made = 0
  const send = async (event: Record<string, unknown>): Promise<boolean> => {
    const headers = { origin: 'https://example.com', 'user-agent': BROWSER, 'content-type': 'text/plain' }
    const forwarded = { 'x-forwarded-for': `198.51.100.${made % 250}` }
    const body = JSON.stringify(event)
    const answer = await fetch(`${url}/collect`, { method: 'POST', headers: { ...headers, ...forwarded }, body }).catch(
      () => null,
    )
    if (answer === null || answer.status === 503) return false
    const text = await answer.text().catch(() => null)
    if (text === null) return false
    if (answer.status !== 202) throw new Error(`answered ${answer.status}: ${text}`)
    return true
  }
  const sender = async () => {
    while (!is_over) {
      const path = `/e/${++made}`
      const event = { v: 1, site: key, type: 'pageview', url: `https://example.com${path}`, id: crypto.randomUUID() }
      for (;;) {
        if (url !== null) {
          if (await send(event)) break
          report.retried++
        }
        if (is_over) return
        await pause(RETRY_MS)
      }
      acknowledged.add(path)
      if (made % 10 === 0 && (await send(event))) report.repeated++
    }
  }
  let child: TestChild | null = null
  const start = async (): Promise<string[]> => {
    child = startChild(CHILD, folder)
    const reported = JSON.parse(await child.line()) as { url: string; pages: string[]; counted: number }
    url = reported.url
    if (reported.counted !== reported.pages.length)
      throw new Error(`${reported.pages.length} events are stored, ${reported.counted} are counted`)
    return reported.pages
  }
  try {
    await start()
    const senders = Promise.all(Array.from({ length: SENDERS }, sender))
    for (let round = 1; round <= rounds; round++) {
      // However slow the machine is, there is something to lose.
      const enough = acknowledged.size + SENDERS
      while (acknowledged.size < enough) await Promise.race([pause(RETRY_MS), senders])
      await Promise.race([pause(Math.random() * BUSY_MS), senders])
      // Senders go on into the dead service until one of them notices, so that every kill meets some of them.
      const retried = report.retried
      await (child as unknown as TestChild).kill()
      while (report.retried === retried) await Promise.race([pause(RETRY_MS), senders])
      url = null
      const before = new Set(acknowledged)
      compare(before, await start(), round)
      report.acknowledged = before.size
      onRound(round, report)
    }
    is_over = true
    await senders
    await (child as unknown as TestChild).kill()
    compare(acknowledged, await start(), rounds + 1)
    return { ...report, acknowledged: acknowledged.size }
  } finally {
    is_over = true
    await (child as TestChild | null)?.kill()
  }
}

function compare(acknowledged: ReadonlySet<string>, stored: readonly string[], round: number): void {
  const there = new Set(stored)
  const lost = [...acknowledged].filter((path) => !there.has(path))
  if (lost.length > 0)
    throw new Error(`round ${round}: of ${acknowledged.size} acknowledged events ${lost.length} are lost`)
  if (there.size !== stored.length) throw new Error(`round ${round}: ${stored.length - there.size} events are doubled`)
}

/** Makes the folder, with one tracked site; its public key. */
async function prepare(data: string): Promise<string> {
  const config = { ...readConfig({}), data }
  const log = pino({ level: 'silent' })
  const installation = await openInstallation({ config, clock: systemClock(), log, wait_ms: 0 })
  const site = await addSite(installation.operator, { ...installation.operator, domain: 'example.com' })
  const now = new Date(systemClock().now()).toISOString()
  const { public_key } = await enableTracker({ installation }, site, { from: now, through: now })
  await installation.close()
  return public_key
}
