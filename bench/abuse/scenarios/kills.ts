/** kill -9 of each running program, at random moments. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { SITE } from '#demo/stories.ts'
import { forgetQuotas } from '../generated-requests.ts'
import type { Installed } from '../installed.ts'
import { killInTurn } from '../kill-in-turn.ts'
import { MAIN, runNode, startNode } from '../processes.ts'
import { check, type Round, type Scenario } from '../scenario.ts'
import { type Attacked, underAttack } from '../under-attack.ts'

const KILLS = 8
const BUSY_MS = 2_500
/** Each pause of the launcher is twice as long as the one before. */
const LAUNCHED_KILLS = 3
const IMPORTS = 4
const IMPORT_LINES = 40_000
const CONVERSATIONS = 8
const IMPORTED = 'imported.example.org'
/** Rounds of the programs that kill and check on their own. */
const ROUNDS = '10'

export const killScenarios: readonly Scenario[] = [
  {
    name: 'kill-service',
    does: `kill -9 of the service ${KILLS} times under the honest client, and a new start each time`,
    holds: 'nothing acknowledged is lost, nothing is doubled',
    run: async (round) => underAttack(await round.installed(), (attacked) => killService(attacked, round)),
  },
  {
    name: 'kill-launched',
    does: `kill -9 of the service under its launcher ${LAUNCHED_KILLS} times, then of the launcher`,
    holds: 'the launcher starts it again by itself; without a launcher it ends, and the folder is free',
    run: async (round) =>
      underAttack(await round.installed(), (attacked) => killLaunched(attacked, round), { is_launched: true }),
  },
  {
    name: 'kill-import',
    does: `kill -9 of spoor import ${IMPORTS} times, and of the service under it as often`,
    holds: 'what was acknowledged is there; an import that broke off is completed by its repeat, and doubles nothing',
    run: async (round) => underAttack(await round.installed(), (attacked) => killImports(attacked, round)),
  },
  {
    name: 'kill-mcp',
    does: `kill -9 of spoor mcp ${CONVERSATIONS} times in the middle of calls`,
    holds: 'others are served, and the next conversation is answered',
    run: async (round) => underAttack(await round.installed(), (attacked) => killConversations(attacked, round)),
  },
  program('kill-rounds', 'imports, deliveries over HTTPS and roll-ups; the service is killed under them'),
  program('kill-collect', 'twelve senders of events; the service is killed under them'),
]

async function killService({ service, client }: Attacked, { random, says }: Round): Promise<string> {
  client.allow('silence')
  for (let time = 1; time <= KILLS; time++) {
    await pause(random() * BUSY_MS)
    await service.kill()
    await service.start()
    await client.works(1)
    says(`${time} kills`)
  }
  return `${KILLS} kills`
}

async function killLaunched({ service, client }: Attacked, { random, says }: Round): Promise<string> {
  client.allow('silence')
  for (let time = 1; time <= LAUNCHED_KILLS; time++) {
    await pause(random() * BUSY_MS)
    await service.killBelowLauncher()
    await client.works(1)
    says(`${time} kills`)
  }
  await service.killLauncher()
  await service.start()
  return `${LAUNCHED_KILLS} kills and 1 of the launcher`
}

async function killImports(attacked: Attacked, round: Round): Promise<string> {
  const { service, installed } = attacked
  const { random, folder, says } = round
  const here = ['--data', installed.data]
  await spoor(installed, ['site', 'add', IMPORTED, ...here])
  const importOf = (file: string) => ['import', file, '--site', IMPORTED, ...here]
  const first = join(folder, '0.log')
  writeFileSync(first, linesOf(0))
  const since = performance.now()
  await spoor(installed, importOf(first))
  // So that kills fall on all of an import, however busy the machine is.
  const usual_ms = performance.now() - since
  let expected = IMPORT_LINES
  let whole = 0
  for (let attempt = 1; attempt <= IMPORTS * 2; attempt++) {
    const file = join(folder, `${attempt}.log`)
    writeFileSync(file, linesOf(attempt))
    const started = startNode([MAIN, ...importOf(file)], { env: installed.env, input: '' })
    const end = await killInTurn(attacked, { started, attempt, after_ms: (0.1 + random()) * usual_ms })
    const counted = await requestsOf(service.url, installed)
    const all = expected + IMPORT_LINES
    const there = `${counted} of ${all} requests are there`
    check(counted >= expected && counted <= all, `import ${attempt} ended with ${end}, and ${there}`)
    check(end !== 0 || counted === all, `import ${attempt} was acknowledged, and ${there}`)
    if (counted === all) whole++
    await spoor(installed, importOf(file))
    const repeated = await requestsOf(service.url, installed)
    check(repeated === all, `after the repeat of import ${attempt} ${repeated} of ${all} requests are there`)
    expected = all
    says(`${attempt} imports, ${whole} of them whole`)
  }
  return `${IMPORTS * 2} imports, ${whole} whole before the repeat`
}

/** All lines are of one crawler, on days of the window, and no two files are the same. */
function linesOf(time: number): string {
  const at = new Date(Date.now() - (2 + time) * 86_400_000)
  const day = `${String(at.getUTCDate()).padStart(2, '0')}/${at.toLocaleString('en', { month: 'short', timeZone: 'UTC' })}/${at.getUTCFullYear()}`
  return Array.from({ length: IMPORT_LINES }, (_, line) => {
    const clock = new Date(line * 1_000).toISOString().slice(11, 19)
    return `192.0.2.${line % 250} - - [${day}:${clock} +0000] "GET /${time}/${line} HTTP/1.1" 200 5 "-" "Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)"\n`
  }).join('')
}

async function requestsOf(url: string, { secrets }: Installed): Promise<number> {
  const headers = { authorization: `Bearer ${secrets.site_key}` }
  const query = 'window=30d&purpose=search,assistant,training,unknown'
  const answer = await fetch(`${url}/v1/sites/${IMPORTED}/performance?${query}`, { headers })
  check(answer.status === 200, `performance answered ${answer.status}`)
  const body = (await answer.json()) as { observed_request_count: number | null }
  return body.observed_request_count ?? 0
}

const spoor = ({ env }: Installed, args: readonly string[]) => runNode([MAIN, ...args], { env })

async function killConversations(attacked: Attacked, { random, says }: Round): Promise<string> {
  const { service, installed } = attacked
  const env = { SPOOR_URL: service.url, SPOOR_TOKEN: installed.secrets.account_token }
  const call = (id: number) => {
    const params = { name: 'get_performance', arguments: { site: SITE } }
    return `${JSON.stringify({ jsonrpc: '2.0', id, method: id % 2 === 0 ? 'tools/list' : 'tools/call', ...(id % 2 === 0 ? {} : { params }) })}\n`
  }
  let answered = 0
  for (let time = 1; time <= CONVERSATIONS; time++) {
    forgetQuotas(attacked)
    const conversation = startNode([MAIN, 'mcp'], { env })
    conversation.process.stdin?.write(Array.from({ length: 30 }, (_, id) => call(id)).join(''))
    // Calls are under way once the first of them is answered.
    while (conversation.stdout() === '' && conversation.process.exitCode === null) await pause(20)
    await pause(random() * 300)
    conversation.process.kill('SIGKILL')
    await conversation.ended
    // The last line is cut off by the kill, or empty.
    const answers = conversation.stdout().split('\n').slice(0, -1)
    const failed = answers.find((answer) => !isResult(answer))
    check(failed === undefined, `a call was answered with ${failed?.slice(0, 300)}`)
    answered += answers.length
    says(`${time} conversations`)
  }
  const last = await runNode([MAIN, 'mcp'], { env, input: call(0) })
  check(/"result"/.test(last), `the next conversation was answered with ${last.slice(0, 300)}`)
  return `${CONVERSATIONS} kills, ${answered} calls answered before them`
}

/** Of a message, or of a tool that did what it was asked. */
function isResult(answer: string): boolean {
  const { result } = JSON.parse(answer) as { result?: { isError?: boolean } }
  return result !== undefined && result.isError !== true
}

/** A benchmark that kills and checks on its own, and reports by its exit code whether everything held. */
function program(name: 'kill-rounds' | 'kill-collect', does: string): Scenario {
  return {
    name,
    does: `${does} (${ROUNDS} times; npm run bench -- ${name})`,
    holds: 'nothing acknowledged is lost, nothing is doubled',
    async run({ says }) {
      const path = new URL(`../../${name}.ts`, import.meta.url).pathname
      const started = startNode([path, ROUNDS], { input: '' })
      started.process.stdout?.on('data', (piece: string) => says(piece.trim()))
      const end = await started.ended
      check(end === 0, `it ended with ${end}: ${started.stderr().slice(-1_000)}`)
      return started.stdout().trim().split('\n').at(-1) as string
    },
  }
}
