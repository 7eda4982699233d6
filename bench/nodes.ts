/**
 * Three nodes behind nginx under load, of which one is killed every minute: nothing acknowledged may be lost or
 * doubled, and the nodes must give the same answers. Needs nginx. Run: npm run bench -- nodes [kills per mode, default
 * 5] [seconds between two, default 60] [senders, default 16]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { nodeRounds } from '../test/support/node-rounds.ts'

const [kills = 5, seconds = 60, senders = 16] = process.argv.slice(2).map(Number)

for (const mode of ['direct', 'shared'] as const) {
  const folder = mkdtempSync(join(tmpdir(), 'spoor-nodes-'))
  try {
    const onRound = (said: string) => console.log(`${mode}: ${said}`)
    const report = await nodeRounds({ folder, mode, kills, every_ms: seconds * 1_000, senders, onRound })
    const { acknowledged, retried, repeated, counted, p50_ms, p99_ms } = report
    const alike = report.answers.every((answer) => isDeepStrictEqual(answer, report.answers[0]))
    if (!alike) throw new Error(`the nodes answer differently: ${JSON.stringify(report.answers)}`)
    if (!report.was_fenced) throw new Error('the paused node continued')
    console.log(
      `${mode}: no event lost or doubled of ${acknowledged} (${retried} retries, ${repeated} sent again, ` +
        `${counted.accepted} counted as accepted); p50 ${p50_ms} ms, p99 ${p99_ms} ms`,
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
process.exit()
