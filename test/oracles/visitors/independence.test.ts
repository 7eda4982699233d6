/** An evaluator that shared code with the service would share its errors. */
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const EVALUATOR = new URL('evaluator/', import.meta.url)
/** What a history is, and how answers are compared, which import nothing. */
const GIVEN = ['history.ts', 'compare.ts']

const importsOf = (file: URL): string[] =>
  [...readFileSync(file, 'utf8').matchAll(/\bfrom '(.*)'$/gm)].map(([, from]) => String(from))

test('the evaluator knows histories and nothing of the service', () => {
  const imports = readdirSync(EVALUATOR).flatMap((name) => importsOf(new URL(name, EVALUATOR)))
  expect(imports).toContain('./sessions.ts')
  const outside = imports.filter((from) => !/^\.\/[a-z-]+\.ts$/.test(from))
  expect([...new Set(outside)].sort()).toEqual(GIVEN.map((name) => `../${name}`).sort())
  expect(GIVEN.flatMap((name) => importsOf(new URL(name, import.meta.url)))).toEqual([])
})
