/** Benchmarks are run as the documents say, on any Node that npm runs on. */
import { spawnSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const run = (...args: string[]) => spawnSync(process.execPath, ['bench/run.mjs', ...args], { encoding: 'utf8' })

test('an unknown benchmark is refused with the list of those that there are, and each of them has its file', () => {
  const { status, stderr } = run('nothing')
  expect([status, stderr]).toEqual([2, expect.stringMatching(/^spoor: "nothing" is not a benchmark\./)])
  const names = [...stderr.matchAll(/^ {2}([\w-]+)/gm)].map(([, name]) => name)
  expect(names.length).toBeGreaterThan(10)
  for (const name of names) expect(existsSync(`bench/${name}.ts`)).toBe(true)
})

test('without a name it says so, with the same list', () => {
  const { status, stderr } = run()
  expect([status, stderr]).toEqual([
    2,
    expect.stringMatching(/^spoor: No benchmark is named\. Usage: npm run bench -- NAME /),
  ])
})

test('documents and benchmarks name commands that run', () => {
  const names = [...run().stderr.matchAll(/^ {2}([\w-]+)/gm)].map(([, name]) => String(name))
  const files = ['README.md', 'CONTRIBUTING.md', ...globSync('docs/**/*.md'), ...globSync('bench/*.ts')]
  const texts = files.map((file) => readFileSync(file, 'utf8')).join('\n')
  expect(texts).not.toMatch(/node (--\S+ )*bench\//)
  const named = [...texts.matchAll(/npm run bench -- ([\w-]+)/g)].map(([, name]) => String(name))
  expect(named.filter((name) => name !== 'NAME' && !names.includes(name))).toEqual([])
  for (const name of names) expect(named).toContain(name)
})

test('a benchmark runs on Spoor’s own Node, which runs TypeScript directly', () => {
  const { status, stderr } = run('sender-trial')
  expect([status, stderr]).toEqual([1, expect.stringContaining('usage: npm run bench -- sender-trial LOG.gz')])
})

test('an unknown scenario of the abuse harness is refused with the names of all, each of which is in the table of results', () => {
  const { status, stderr } = run('abuse', '--only', 'nothing')
  expect([status, stderr]).toEqual([
    2,
    expect.stringMatching(/^spoor: --only nothing: give names of requests-site-api, /),
  ])
  const names = (stderr.split('give names of ')[1] ?? '').trim().split(', ')
  expect(names.length).toBeGreaterThan(20)
  const verified = readFileSync('docs/verification.md', 'utf8')
  expect(names.filter((name) => !verified.includes(`| \`${name}\` |`))).toEqual([])
})

test('the table of results says of each scenario what it does', () => {
  const { stdout } = run('abuse', '--list')
  const cells = stdout
    .trimEnd()
    .replaceAll(/^(\S+) +(.+)$/gm, '| `$1` | $2 |')
    .split('\n')
  expect(cells.length).toBeGreaterThan(20)
  const verified = readFileSync('docs/verification.md', 'utf8')
  expect(cells.filter((cell) => !verified.includes(cell))).toEqual([])
})

test('the guide has the needs that sizing computes', () => {
  const computed = [
    ['1', '100000'],
    ['100', '10000000'],
    ['10000', '1000000000'],
  ].map((load) => [...run('sizing', ...load).stdout.matchAll(/^(.+?) {2,}([\d.]+)$/gm)])
  const lines = (computed[0] ?? []).map(
    ([, name], at) => `| ${[name, ...computed.map((of) => of[at]?.[2])].join(' | ')} |`,
  )
  expect(lines.length).toBe(11)
  const guide = readFileSync('docs/operating/sizing.md', 'utf8')
  expect(lines.filter((line) => !guide.includes(line))).toEqual([])
})

test('sizing counts the minutes in which a site receives events, and takes whole numbers only', () => {
  const openDays = (...load: string[]) => Number(/^open days +([\d.]+)$/m.exec(run('sizing', ...load).stdout)?.[1])
  expect(openDays('100', '100000', '10000000')).toBeCloseTo(openDays('100', '10000000', '100000'), 3)
  // Ten thousand sites, each with something in 0.4 of the 1,440 minutes of a day.
  expect(openDays('10000', '60000')).toBeCloseTo(0.025, 3)
  for (const wrong of [['1'], ['1', 'many'], ['1', '10', 'x'], ['0', '10'], ['1', '10', '-5'], ['1', '1', '1', '1']]) {
    expect(run('sizing', ...wrong)).toMatchObject({ status: 2, stdout: '' })
  }
})
