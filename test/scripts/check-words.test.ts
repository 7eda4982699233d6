/** Words of the old vocabulary and lines that are too wide are named with their place; the field's own words pass. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { findWordFaults } from '../../scripts/check-words.ts'

function faultsOf(file: string, text: string): string[] {
  const root = mkdtempSync(join(tmpdir(), 'spoor-words-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  mkdirSync(join(root, dirname(file)), { recursive: true })
  writeFileSync(join(root, file), text)
  return findWordFaults(root).map(({ line, found }) => `${line} ${found}`)
}

test.each([
  ['const MOST_DAYS = 3', 'MOST_DAYS'],
  ['export interface IntakeDoor {}', 'IntakeDoor'],
  ['/** The sender is told why. */', 'told'],
  ['function rememberWatches() {}', 'rememberWatches'],
  ['type Unit = string', 'Unit'],
  ['// lines of people are dropped', 'lines of people'],
  ['interface Given {}', 'interface Given'],
  ['// the text is no address', 'is no a'],
  ["import { a } from './promise.ts'", 'promise.ts'],
  ['// the store waits for nobody', 'nobody'],
])('%s', (text, found) => {
  expect(faultsOf('src/a.ts', `const a = 1\n${text}\n`)).toEqual([`2 ${found}`])
})

test.each([
  ['const MOST_DAYS = 3', 'MOST_DAYS'],
  ['{/* the page waits for nobody */}', 'nobody'],
])('the dashboard is read too: %s', (text, found) => {
  expect(faultsOf('dashboard/a.tsx', `${text}\n`)).toEqual([`1 ${found}`])
})

test.each(["const words = 'watched in full'", 'type Receiver = string'])('%s is a word of the dashboard', (text) => {
  expect(faultsOf('dashboard/a.tsx', `${text}\n`)).toEqual([])
})

test('names of tests are read, their data is not', () => {
  const names = ["test('a secret that nobody saw', () => {", "])('whoever asks: %s', () => {"]
  expect(faultsOf('test/a.test.ts', `${names.join('\n')}\nconst user = 'nobody'\n`)).toEqual(['1 nobody', '2 whoever'])
})

test('the name of a file counts too', () => {
  expect(faultsOf('src/own-doors.ts', '')).toEqual(['1 doors'])
})

test.each([
  "from('forgotten_watches')",
  'process.env.WATCHDOG_USEC; const WatchdogSec = 0',
  '// Azure Front Door',
  '// there is no address, and it is no longer needed',
  "given === 'asked'",
  "const message = 'make somebody else an owner'",
  'maximum: Number.MAX_SAFE_INTEGER',
])('%s is allowed', (text) => {
  expect(faultsOf('src/a.ts', `${text}\n`)).toEqual([])
})

test('a comment has at most 120 columns; other code may be wider', () => {
  const wide = 'a'.repeat(121)
  expect(faultsOf('src/a.ts', `// ${wide}\n/** ${wide} */\n * ${wide}\nconst a = '${wide}'\n`)).toHaveLength(3)
  expect(faultsOf('src/a.sql', `-- ${wide}\nSELECT '${wide}'\n`)).toHaveLength(1)
  expect(faultsOf('dashboard/a.tsx', `{/* ${wide} */}\n<p>${wide}</p>\n`)).toHaveLength(1)
  expect(faultsOf('src/a.ts', `// ${'a'.repeat(117)}\n`)).toEqual([])
})

test('a document has at most 140 columns, except tables, code blocks and long links', () => {
  const wide = 'word '.repeat(30)
  expect(
    faultsOf('README.md', `${wide}\n| ${wide} |\n\`\`\`\n${wide}\n\`\`\`\n${wide}${'l'.repeat(80)}\n`),
  ).toHaveLength(1)
})
