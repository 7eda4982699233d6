/** kill -9 of what copies whole stores: spoor backup, the service that is backed up, and spoor restore. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { BATCH_RECORDS } from '../honest-client.ts'
import { HONEST_SITE, type Installed } from '../installed.ts'
import { killInTurn } from '../kill-in-turn.ts'
import { MAIN, runNode, startNode } from '../processes.ts'
import { check, type Round, type Scenario } from '../scenario.ts'
import { Service } from '../service.ts'
import { type Attacked, underAttack } from '../under-attack.ts'

const BACKUPS = 6
const RESTORES = 4

export const backupScenarios: readonly Scenario[] = [
  {
    name: 'kill-backup',
    does: `kill -9 of spoor backup and of the service under it, ${BACKUPS / 2} times each, then of spoor restore ${RESTORES} times`,
    holds: 'a file that is there can be restored; in the end a restored folder has what was counted before its backup',
    run: async (round) => underAttack(await round.installed(), (attacked) => killBackups(attacked, round)),
  },
]

/** The command that backs up into a file, and the one that restores it into a folder of the round. */
function commandsOf({ installed }: Attacked, { folder }: Round) {
  return {
    backUp: (file: string) => [MAIN, 'backup', file, '--data', installed.data],
    restore: (file: string, to: string) => [MAIN, 'restore', file, '--replace', '--data', join(folder, to)],
  }
}

async function killBackups(attacked: Attacked, round: Round): Promise<string> {
  const { folder, random, says } = round
  const { env } = attacked.installed
  const { backUp, restore } = commandsOf(attacked, round)
  // So that kills fall on all of a copy, however busy the machine is.
  const first = join(folder, '0.tar')
  const backup_ms = await timeOf(() => runNode(backUp(first), { env }))
  const restore_ms = await timeOf(() => runNode(restore(first, 'of-0'), { env }))
  let whole = 0
  for (let attempt = 1; attempt <= BACKUPS; attempt++) {
    const file = join(folder, `${attempt}.tar`)
    const started = startNode(backUp(file), { env, input: '' })
    const end = await killInTurn(attacked, { started, attempt, after_ms: (0.1 + random()) * backup_ms })
    check(end !== 0 || existsSync(file), `backup ${attempt} ended with 0 and left no file`)
    if (existsSync(file)) {
      whole++
      await runNode(restore(file, `of-${attempt}`), { env })
    }
    says(`${attempt} backups, ${whole} of them whole`)
    await attacked.client.works(1)
  }
  await killRestores(attacked, round, restore_ms)
  return `${BACKUPS} backups, ${whole} whole; ${RESTORES} restores killed, the next one whole`
}

/** Kills restores of a last backup, and checks what the folder has after one that is left alone. */
async function killRestores(attacked: Attacked, round: Round, restore_ms: number): Promise<void> {
  const { service, client, installed } = attacked
  const { folder, random, says } = round
  const { env } = installed
  const { backUp, restore } = commandsOf(attacked, round)
  const before = await countedBy(service, installed)
  const file = join(folder, 'last.tar')
  await runNode(backUp(file), { env })
  const { batches, events } = client.counts
  for (let attempt = 1; attempt <= RESTORES; attempt++) {
    const restoring = startNode(restore(file, 'restored'), { env, input: '' })
    await pause((0.1 + random()) * restore_ms)
    restoring.process.kill('SIGKILL')
    await restoring.ended
    says(`${attempt} restores`)
  }
  await runNode(restore(file, 'restored'), { env })
  const restored = await countedIn({ ...installed, data: join(folder, 'restored') })
  // What was on its way while the backup was made may be in it.
  const at_most = { requests: (batches + 1) * BATCH_RECORDS, pageviews: events + 1 }
  for (const kind of ['requests', 'pageviews'] as const) {
    const said = `the restored folder has ${restored[kind]} ${kind}, not ${before[kind]} to ${at_most[kind]}`
    check(restored[kind] >= before[kind] && restored[kind] <= at_most[kind], said)
  }
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const since = performance.now()
  await work()
  return performance.now() - since
}

interface Counted {
  requests: number
  pageviews: number
}

async function countedIn(installed: Installed): Promise<Counted> {
  const service = await Service.open(installed)
  try {
    await service.isReady()
    const counted = await countedBy(service, installed)
    await service.stop()
    return counted
  } finally {
    await service.end()
  }
}

async function countedBy({ url }: Service, { secrets }: Installed): Promise<Counted> {
  const headers = { authorization: `Bearer ${secrets.site_key}` }
  const read = async (path: string) => {
    const answer = await fetch(`${url}/v1/sites/${HONEST_SITE}/${path}`, { headers })
    check(answer.status === 200, `${path} answered ${answer.status}`)
    return (await answer.json()) as Record<string, unknown>
  }
  const performance = await read('performance?window=30d&purpose=search,assistant,training,unknown')
  const { metrics } = (await read('overview?window=7d')) as { metrics: { pageviews: number | null } }
  return { requests: Number(performance.observed_request_count), pageviews: Number(metrics.pageviews) }
}
