/** Commands of the documents that readers copy are parsed as they stand there. */
import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { leavesOf } from '../../cli/command.ts'
import { placeSites } from '../../cli/input/site-argument.ts'
import { buildProgram } from '../../cli/program.ts'

const DOCUMENTS = [
  'README.md',
  'packaging/npm/README.md',
  ...globSync('docs/{account-api,operating,senders,tracker}/*.md'),
]

/** A call of the program at the begin of a line of a code block, or after `sudo`, an assignment, a pipe or `&&`. */
const CALL = /(?:^|[|&;] |\bCONTAINER )(?:npx )?spoor (?=[a-z-])(.*)$/

interface Call {
  place: string
  typed: string
}

function callsOf(file: string): Call[] {
  const calls: Call[] = []
  let is_code = false
  readFileSync(file, 'utf8')
    .split('\n')
    .forEach((line, index) => {
      if (/^```/.test(line)) is_code = /^```sh$/.test(line)
      const typed = is_code ? CALL.exec(line)?.[1] : undefined
      if (typed !== undefined) calls.push({ place: `${file}:${index + 1}`, typed })
    })
  return calls
}

/** The words that a shell makes of a line, up to a comment, a redirection or the next command. */
function wordsOf(line: string): string[] {
  const [typed = ''] = line.split(/ +(?:[#<>|;]|&&)/)
  return [...typed.matchAll(/((?:'[^']*'|"[^"]*"|[^\s'"])+)/g)].map(([word]) => word.replace(/['"]/g, ''))
}

const CALLS = DOCUMENTS.flatMap(callsOf)

test('the documents have commands', () => {
  expect(CALLS.length).toBeGreaterThan(100)
})

test.each(CALLS)('$place: spoor $typed', async ({ typed }) => {
  const program = buildProgram(true)
  let has_run = false
  for (const leaf of leavesOf(program)) {
    leaf.action(() => {
      has_run = true
    })
  }
  const words = wordsOf(typed)
  if (words.includes('--help')) return
  await program.parseAsync(placeSites(program, words), { from: 'user' })
  expect(has_run).toBe(true)
})
