import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { run, runJson } from '../../support/cli.ts'
import { makeTestFolder, removeTestFolder } from '../../support/control.ts'

let folder: string
let file: string
beforeAll(() => {
  folder = makeTestFolder()
  file = join(folder, 'robots.txt')
  writeFileSync(file, 'User-agent: Googlebot\nAllow: /\n\nUser-agent: *\nDisallow: /private/*.pdf$\n')
})
afterAll(() => removeTestFolder(folder))

const tested = (...args: string[]) => run(['robots', 'test', file, ...args])

describe('spoor robots test', () => {
  test('decides a URL with group, rule and line', async () => {
    expect(await runJson(['robots', 'test', file, 'https://example.com/private/a.pdf', '--agent', 'GPTBot'])).toEqual({
      decision: 'disallowed',
      group: '*',
      rule: '/private/*.pdf$',
      line: 5,
    })
    expect(await runJson(['robots', 'test', file, '/private/a.pdf?page=2'])).toEqual({
      decision: 'allowed',
      group: '*',
      rule: null,
      line: null,
    })
  })

  test('prints the decision, and the rule and group that decide', async () => {
    expect(await tested('/private/a.pdf')).toMatchObject({
      code: 0,
      stdout: 'disallowed by line 5: /private/*.pdf$\ngroup: *\n',
    })
    expect(await tested('/open', '--agent', 'CCBot')).toMatchObject({
      code: 0,
      stdout: 'allowed: no rule of the group * matches\n',
    })
  })

  test('reports a vendor’s own reading', async () => {
    expect(await tested('/private/a.pdf', '--agent', 'applebot')).toMatchObject({
      code: 0,
      stdout: 'allowed by line 2: /\ngroup: Googlebot\n',
      stderr: 'applebot is not named; its vendor documents that it follows the group of Googlebot\n',
    })
    expect(await runJson(['robots', 'test', file, '/a', '--agent', 'Applebot'])).toMatchObject({
      deviation: 'group_of:Googlebot',
    })
  })

  test('says that no group names the agent, and which token may be meant', async () => {
    expect((await tested('/open', '--agent', 'CCBot')).stderr).toBe(
      'no group of the file names CCBot: the rules for * apply to it\n',
    )
    expect((await tested('/open', '--agent', 'GPT Bot')).stderr).toBe(
      'no group of the file names GPT Bot: the rules for * apply to it\n' +
        'no crawler of the registry has the token GPT Bot; did you mean GPTBot?\n',
    )
    expect((await tested('/open', '--agent', 'Googlebot')).stderr).toBe('')
    expect((await tested('/open')).stderr).toBe('')
  })

  test('an agent with a version would name no group, and is refused', async () => {
    expect(await tested('/a', '--agent', 'GPTBot/1.2')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('"GPTBot/1.2" is not a product token'),
    })
  })

  test('a file in UTF-16 is refused, because crawlers find no rule in it', async () => {
    const wide = join(folder, 'wide.txt')
    writeFileSync(wide, Buffer.from('\ufeffUser-agent: *\r\nDisallow: /\r\n', 'utf16le'))
    expect(await run(['robots', 'test', wide, '/'])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('Save it as UTF-8'),
    })
  })

  test('a URL of another kind is refused', async () => {
    expect(await tested('ftp://example.com/')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('"ftp://example.com/" is neither an http or https URL nor a path'),
    })
    expect(await run(['robots', 'test', join(folder, 'none.txt'), '/'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('does not exist'),
    })
  })
})
