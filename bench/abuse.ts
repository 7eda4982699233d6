/**
 * Attacks a real `spoor serve` with every scenario of abuse/scenarios, each with an honest client beside it, and prints
 * a table of the results. Run: npm run abuse -- [--only NAME,…] [--rounds N] [--seed N] [--json] [--list]
 * (npm run bench -- abuse is the same).
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { memoryDisk } from '../test/support/memory-disk.ts'
import { atExit, cleanUpsFromNow } from './abuse/at-exit.ts'
import { embeddedTemplate } from './abuse/installed.ts'
import { type Progress, showProgress } from './abuse/progress.ts'
import { type Result, resultTable } from './abuse/results.ts'
import { Broken, type Round, randomFrom, type Scenario } from './abuse/scenario.ts'
import { SCENARIOS } from './abuse/scenarios/index.ts'

/** On two cores under a load of twenty the longest rounds took less than half of it: whatever takes longer hangs. */
const MAX_ROUND_MS = 30 * 60_000

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    rounds: { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' },
    json: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
  },
})
const chosen = chooseScenarios(values.only)
const rounds = wholeNumber('--rounds', values.rounds)
const first_seed = wholeNumber('--seed', values.seed)

if (values.list) for (const { name, does } of chosen) console.log(`${name.padEnd(24)}${does}`)
else await runAll()

async function runAll(): Promise<void> {
  const folder = mkdtempSync(join(memoryDisk() ?? tmpdir(), 'spoor-abuse-'))
  atExit(() => rmSync(folder, { recursive: true, force: true }))
  const copyTemplate = embeddedTemplate(folder)
  const results: Result[] = []
  const report = () => console.log(values.json ? JSON.stringify(results, null, 2) : resultTable(results, chosen.length))
  // Also when it is interrupted.
  const reported = atExit(report)
  for (const scenario of chosen) results.push(await runScenario(scenario, { folder, copyTemplate }))
  reported()
  report()
  // Something that a failed scenario left open must not keep the process running.
  process.exit(results.some(({ broken }) => broken !== null) ? 1 : 0)
}

interface Shared {
  folder: string
  copyTemplate: ReturnType<typeof embeddedTemplate>
}

async function runScenario(scenario: Scenario, shared: Shared): Promise<Result> {
  const { name, does, holds } = scenario
  const result: Result = { name, does, holds, rounds: 0, seconds: 0, counted: [], broken: null, cannot_run: null }
  const why = scenario.cannotRun?.() ?? null
  if (why !== null) {
    showProgress(name).end(`not run: ${why}`)
    return { ...result, cannot_run: why }
  }
  const since = performance.now()
  for (let round = 1; round <= rounds; round++) {
    const seed = first_seed + round - 1
    const folder = join(shared.folder, `${name}-${seed}`)
    mkdirSync(folder)
    const progress = showProgress(`${name} ${round}/${rounds}`)
    const cleanUpRound = cleanUpsFromNow()
    try {
      const counted = scenario.run(roundOf(seed, folder, shared, progress.says))
      result.counted.push(await Promise.race([counted, noEnd(progress)]))
      result.rounds++
      progress.end(`held: ${result.counted.at(-1)}`)
    } catch (error) {
      result.broken = `seed ${seed}: ${error instanceof Error ? error.message : String(error)}`
      progress.end(`DID NOT HOLD: ${result.broken}`)
      // Any other failure is a fault of the harness.
      if (error instanceof Error && error.name !== 'Broken') console.error(error)
      break
    } finally {
      cleanUpRound()
      rmSync(folder, { recursive: true, force: true })
    }
  }
  return { ...result, seconds: Math.round((performance.now() - since) / 1_000) }
}

/** Throws when a round has not ended in time; the timer must not keep the process. */
async function noEnd({ said }: Progress): Promise<never> {
  await pause(MAX_ROUND_MS, undefined, { ref: false })
  throw new Broken(`the round did not end within ${MAX_ROUND_MS / 60_000} minutes; it said last: ${said()}`)
}

function roundOf(seed: number, folder: string, { copyTemplate }: Shared, says: Round['says']): Round {
  return {
    seed,
    folder,
    says,
    random: randomFrom(seed),
    installed: () => copyTemplate(join(folder, 'data')),
  }
}

function chooseScenarios(only: string): readonly Scenario[] {
  const names = only.split(',').filter((name) => name !== '')
  const known = SCENARIOS.map(({ name }) => name)
  const unknown = names.filter((name) => !known.includes(name))
  if (unknown.length > 0) refuse(`--only ${unknown.join(',')}: give names of ${known.join(', ')}`)
  return names.length === 0 ? SCENARIOS : SCENARIOS.filter(({ name }) => names.includes(name))
}

function wholeNumber(option: string, text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text))
    refuse(`${option} ${JSON.stringify(text)} is not allowed: give a whole number from 1`)
  return Number(text)
}

function refuse(why: string): never {
  console.error(`spoor: ${why}`)
  process.exit(2)
}
