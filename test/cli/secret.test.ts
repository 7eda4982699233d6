import { expect, test } from 'vitest'
import { preparedFolder, run, runJson } from '../support/cli.ts'

test('a secret that could not be shown is not made, but a public key is', async () => {
  const { data } = await preparedFolder()
  const here = ['--data', data]
  await runJson(['site', 'add', 'example.com', ...here])
  await runJson(['tracker', 'enable', 'example.com', ...here])
  for (const [command, message] of [
    ['key create --name a', /the secret cannot be shown, and no key was created/],
    ['key create --name a --json', /the secret cannot be shown, and no key was created/],
    ['tracker key create example.com', /the key cannot be shown, and no key was created/],
    ['source add example.com --name edge', /the token cannot be shown, and no source was created/],
    ['user add ada@example.org', /the link cannot be shown, and no link was created/],
    [
      'alert add example.com --webhook https://example.org/',
      /the signing secret cannot be shown, and no receiver was created/,
    ],
  ] as const) {
    const ended = await run([...command.split(' '), ...here], { without_output: true })
    expect(ended, command).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(message) })
  }
  expect(await runJson(['key', 'list', ...here])).toEqual({ keys: [] })
  const { keys } = await runJson<{ keys: { kind: string }[] }>(['tracker', 'key', 'list', 'example.com', ...here])
  expect(keys.map(({ kind }) => kind)).toEqual(['public'])
  expect(await runJson(['source', 'list', 'example.com', ...here])).toMatchObject({ sources: [] })
  const tracker = ['tracker', 'key', 'create', 'example.com', '--kind', 'public', ...here]
  expect(await run(tracker, { without_output: true })).toMatchObject({ code: 0 })
})
