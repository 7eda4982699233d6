/**
 * Records what a data folder answers over HTTP and the command line, so that a redesign can be compared with the code
 * before it: `node scripts/record-behaviour.ts prepare FOLDER`, then, with each code, `record FOLDER OUT` on its own
 * copy, then `diff`. Random ids, secrets and times of the run are replaced by placeholders in the order in which they
 * appear.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { commands } from './record-behaviour/commands.ts'
import { normaliser } from './record-behaviour/normalise.ts'
import { prepareCommands } from './record-behaviour/prepare.ts'
import { type RecordedRequest, requests } from './record-behaviour/requests.ts'

/** The start of the service clock in every run. */
export const CLOCK = '2026-03-20T12:00:00Z'
const SPOOR = new URL('../bin/spoor.mjs', import.meta.url).pathname
/** Headers that a client acts on; the others change with every answer. */
const HEADERS = ['content-type', 'allow', 'www-authenticate', 'cache-control', 'deprecation', 'sunset', 'retry-after']
const [action, folder, out] = process.argv.slice(2)

if (action === 'prepare' && folder !== undefined) await prepare(folder)
else if (action === 'record' && folder !== undefined && out !== undefined) await record(folder, out)
else {
  console.error('usage: node scripts/record-behaviour.ts prepare FOLDER | record FOLDER OUT')
  process.exitCode = 2
}

/** Fills a new folder through the command line and the collector, as a user would. */
async function prepare(data: string): Promise<void> {
  mkdirSync(data)
  const service = await serve(data)
  try {
    for (const step of prepareCommands(join(data, 'inputs'))) {
      if ('args' in step) {
        const { status, stdout, stderr } = run(data, step.args)
        if (status !== 0) throw new Error(`${step.args.join(' ')}: ${stderr}`)
        if (step.keep !== undefined) writeFileSync(join(data, step.keep), stdout)
      } else {
        const key = readFileSync(join(data, step.key_file), 'utf8')
        const answer = await ask(service.url, step.request(key))
        if (answer.status >= 300) throw new Error(`${step.key_file}: ${answer.status} ${answer.body}`)
      }
    }
  } finally {
    await service.stop()
  }
}

async function record(prepared: string, file: string): Promise<void> {
  const work = mkdtempSync(join(tmpdir(), 'spoor-record-'))
  const data = join(work, 'data')
  cpSync(prepared, data, { recursive: true })
  const read = (name: string) => readFileSync(join(data, name), 'utf8').trim()
  const normalise = normaliser({ work, clock: CLOCK })
  const parts: string[] = []
  const service = await serve(data)
  try {
    const recorded = requests({
      key: JSON.parse(read('key.json')).secret,
      token: JSON.parse(read('source.json')).token.secret,
    })
    for (const each of recorded) {
      const { status, headers, body } = await ask(service.url, each)
      parts.push(`> ${each.method} ${each.path} ${each.note ?? ''}\n< ${status} ${headers}\n${body}\n`)
    }
    for (const args of commands(join(data, 'inputs'))) {
      const { status, stdout, stderr } = run(data, args)
      parts.push(`$ spoor ${args.join(' ')}\n= ${status}\n${stdout}${stderr === '' ? '' : `! ${stderr}`}`)
    }
    console.log(`${recorded.length} requests, ${commands('').length} commands`)
  } finally {
    await service.stop()
    rmSync(work, { recursive: true, force: true })
  }
  writeFileSync(file, normalise(parts.join('\n').replaceAll(service.url, '<url>')))
}

async function serve(data: string): Promise<{ url: string; stop(): Promise<void> }> {
  const env = { ...process.env, SPOOR_METRICS_LISTEN: 'off', SPOOR_PUBLIC_URL: 'https://spoor.example.net' }
  const child = spawn(process.execPath, [SPOOR, 'serve', '--data', data, '--port', '0', '--clock', CLOCK], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', (chunk) => {
    said += chunk
  })
  const exited = once(child, 'exit')
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0]
    if (url !== undefined) {
      child.stdout.resume()
      return {
        url,
        async stop() {
          child.kill('SIGTERM')
          await exited
        },
      }
    }
  }
  throw new Error(`the service did not start: ${said}`)
}

function run(data: string, args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [SPOOR, ...args], {
    encoding: 'utf8',
    env: { ...process.env, SPOOR_DATA: data, COLUMNS: '120' },
    input: '',
  })
  return { status, stdout, stderr }
}

/** Sends the path as it is written, which `fetch` would correct. */
function ask(url: string, { method, path, headers = {}, body }: RecordedRequest) {
  const { hostname, port } = new URL(url)
  return new Promise<{ status: number; headers: string; body: string }>((resolve, reject) => {
    const request = httpRequest({ hostname, port, method, path, headers, agent: false }, async (response) => {
      let text = ''
      for await (const chunk of response.setEncoding('utf8')) text += chunk
      const kept = HEADERS.flatMap((name) => (name in response.headers ? [`${name}: ${response.headers[name]}`] : []))
      resolve({ status: response.statusCode ?? 0, headers: kept.join('; '), body: text })
    })
    request.once('error', reject)
    request.end(body)
  })
}
