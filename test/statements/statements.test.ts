/**
 * The text of every statement, as a person reads it. `UPDATE=1 npm test -- test/statements` writes what has changed.
 */
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Fragment } from '#evidence/fragment.ts'
import { openTestEvidence, type TestEvidence } from '../support/evidence.ts'
import { BRANCHES } from './branches.ts'
import { consoleText } from './console-text.ts'

const fileOf = (name: string) => `test/statements/${name}.sql`
const filesNow = () => globSync('test/statements/**/*.sql').sort()

let evidence: TestEvidence
beforeAll(async () => {
  if (process.env.UPDATE === '1') {
    for (const file of filesNow()) rmSync(file)
    for (const [name, fragment] of BRANCHES) {
      mkdirSync(dirname(fileOf(name)), { recursive: true })
      writeFileSync(fileOf(name), consoleText(fragment))
    }
  }
  evidence = await openTestEvidence()
})
afterAll(() => evidence.remove())

describe('every branch of every statement', () => {
  test.each(BRANCHES)('%s reads as its file says, and the engine runs that file', async (name, fragment) => {
    const text = readFileSync(fileOf(name), 'utf8')
    expect(consoleText(fragment), `UPDATE=1 npm test -- test/statements writes it anew`).toBe(text)
    await evidence.store.run(new Fragment([text]))
  })

  test('every file has a branch', () => {
    expect(filesNow()).toEqual(BRANCHES.map(([name]) => fileOf(name)).sort())
  })

  test('each file of statements is among them', () => {
    const branches = readFileSync('test/statements/branches.ts', 'utf8')
    const missing = globSync('src/**/*.sql.ts').filter((file) => {
      const text = readFileSync(file, 'utf8')
      const hasStatements = /\brows\(\w+\)`|INSERT INTO|DELETE FROM/.test(text)
      return hasStatements && !branches.includes(`'#${file.slice('src/'.length)}'`)
    })
    expect(missing).toEqual([])
  })
})
