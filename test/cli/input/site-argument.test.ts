import { describe, expect, test } from 'vitest'
import { leavesOf, pathOf } from '../../../cli/command.ts'
import { placeSites } from '../../../cli/input/site-argument.ts'
import { buildProgram } from '../../../cli/program.ts'

const placed = (line: string) => placeSites(buildProgram(true), line.split(' ')).join(' ')

describe('the site of a command', () => {
  test.each([
    ['import --site example.com a.log', 'import example.com a.log'],
    ['import a.log b.log --host h --site example.com', 'import example.com a.log b.log --host h'],
    ['funnel show checkout --site=example.com', 'funnel show example.com checkout'],
    ['source token create web1 --name a', 'source token create web1 --name a'],
    ['key create --name a --site a.example --site b.example', 'key create a.example b.example --name a'],
    ['import --site a.example a.log --site b.example', 'import b.example a.log'],
    ['import example.com -- --site', 'import example.com -- --site'],
    ['import a.log --site', 'import a.log --site'],
    // No command of that name takes it; the parser says so.
    ['site list --site example.com', 'site list --site example.com'],
    ['--site example.com', '--site example.com'],
  ])('%s', (given, as_argument) => {
    expect(placed(given)).toBe(as_argument)
  })

  test('is the first argument of every command with a site, and --site can replace it', () => {
    const leaves = leavesOf(buildProgram(true))
    const withSite = leaves.filter((leaf) => leaf.registeredArguments.some((argument) => argument.name() === 'site'))
    expect(withSite.length).toBeGreaterThan(25)
    for (const leaf of withSite) {
      expect(leaf.registeredArguments[0]?.name(), pathOf(leaf)).toBe('site')
      expect(
        leaf.options.map(({ long }) => long),
        pathOf(leaf),
      ).toContain('--site')
    }
    const without = leaves.filter((leaf) => !withSite.includes(leaf))
    for (const leaf of without)
      expect(
        leaf.options.map(({ long }) => long),
        pathOf(leaf),
      ).not.toContain('--site')
  })
})
