/**
 * Kills the service with -9 again and again while it collects, with senders that retry with the same ids, and checks
 * after each start that nothing acknowledged is lost or doubled. Run: npm run bench -- kill-collect
 * [rounds, default 100]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { killRounds } from '../test/support/kill-collect.ts'

const rounds = Number(process.argv[2] ?? 100)
const folder = mkdtempSync(join(tmpdir(), 'spoor-kill-'))

try {
  const reported = await killRounds(folder, rounds, (round, { acknowledged, retried, repeated }) => {
    if (round % 10 === 0) {
      console.log(`${round} rounds: ${acknowledged} events acknowledged, ${retried} retries, ${repeated} sent again`)
    }
  })
  console.log(`${rounds} rounds: nothing lost, nothing doubled (${reported.acknowledged} events acknowledged)`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
