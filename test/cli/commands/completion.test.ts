import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { run, runJson, workFolder } from '../../support/cli.ts'

const has = (shell: string) => spawnSync(shell, ['--version']).status === 0

/** What `spoor completion` prints, in a file. */
async function scriptOf(shell: string): Promise<string> {
  const file = workFolder().file(`completion.${shell}`)
  const { code, stdout } = await run(['completion', shell])
  expect(code).toBe(0)
  writeFileSync(file, stdout)
  return file
}

const said = (shell: string, args: string[]) => {
  const { stdout, stderr, status } = spawnSync(shell, args, { encoding: 'utf8' })
  expect({ stderr, status }).toEqual({ stderr: '', status: 0 })
  return stdout.trim()
}

describe('spoor completion', () => {
  test.skipIf(!has('bash'))(
    'bash completes commands, options and their values, and leaves files to the shell',
    async () => {
      const file = await scriptOf('bash')
      const complete = (...words: string[]) => {
        const line = `COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _spoor; echo "\${COMPREPLY[*]}"`
        return said('bash', ['--norc', '-c', `source ${file}; ${line}`, 'bash', 'spoor', ...words])
      }
      expect(complete('site', '')).toBe('add list rename aliases remove retention privacy-floor --help')
      expect(complete('source', 'token', 'cr')).toBe('create')
      expect(complete('member', 'add', 'example.com', '--role', '')).toBe('owner editor viewer')
      expect(complete('site', 'list', '--d')).toBe('--data')
      expect(complete('completion', 'z')).toBe('zsh')
      expect(complete('site', 'list', '--data', '')).toBe('')
    },
  )

  test.skipIf(!has('zsh'))('zsh takes its script', async () => {
    said('zsh', ['-f', '-n', await scriptOf('zsh')])
  })

  test.skipIf(!has('fish'))('fish completes commands and values', async () => {
    const file = await scriptOf('fish')
    const complete = (line: string) =>
      said('fish', ['--no-config', '-c', `source ${file}; complete -C '${line}'`])
        .split('\n')
        .map((each) => each.split('\t')[0])
    expect(complete('spoor source token ')).toEqual(['create', 'list', 'revoke'])
    expect(complete('spoor member add x --role ')).toEqual(['editor', 'owner', 'viewer'])
  })

  test('the script is one field with --json; another shell is bad usage', async () => {
    expect(await runJson(['completion', 'zsh'])).toEqual({
      shell: 'zsh',
      script: expect.stringMatching(/^#compdef spoor/),
    })
    expect(await run(['completion', 'tcsh'])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/bash, zsh, fish/),
    })
  })
})
