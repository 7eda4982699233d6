import { describe, expect, test } from 'vitest'
import { leavesOf, pathOf } from '../../cli/command.ts'
import { EXAMPLES } from '../../cli/examples.ts'
import { placeSites } from '../../cli/input/site-argument.ts'
import { buildProgram } from '../../cli/program.ts'

/** The words that a shell makes of an example, up to a comment or a redirection. */
function wordsOf(line: string): string[] {
  const [typed = ''] = line.split(/ +[#<>]/)
  return [...typed.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, bare]) => single ?? double ?? bare ?? '',
  )
}

describe('examples in the help', () => {
  test('every command has some, and none is of a command that does not exist', () => {
    expect(Object.keys(EXAMPLES).sort()).toEqual(leavesOf(buildProgram(true)).map(pathOf).sort())
  })

  test.each(Object.values(EXAMPLES).flat())('spoor %s', async (line) => {
    const program = buildProgram(true)
    let ran = ''
    for (const leaf of leavesOf(program)) {
      leaf.action(() => {
        ran = pathOf(leaf)
      })
    }
    await program.parseAsync(placeSites(program, wordsOf(line)), { from: 'user' })
    expect(ran).not.toBe('')
    expect(EXAMPLES[ran]).toContain(line)
  })

  test('prefixes of keys and tokens are as long as those that commands print', () => {
    const given = Object.values(EXAMPLES)
      .flat()
      .flatMap((line) => line.match(/spoor_(site|acct|src|srv)_\S+/g) ?? [])
    expect(given.length).toBeGreaterThan(0)
    for (const prefix of given) expect(prefix).toMatch(/^spoor_[a-z]+_[A-Za-z0-9]{8}$/)
  })
})
