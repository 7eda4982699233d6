/** `spoor source sender` and `spoor source retire`, in processes of their own. */
import { expect, test } from 'vitest'
import { run, runJson, serve, workFolder } from '../../support/cli.ts'

test('senders of a source are listed and retired through a running service', { timeout: 240_000 }, async () => {
  const { data } = workFolder()
  const server = await serve(data)
  const here = ['--data', data]
  await runJson(['site', 'add', 'example.com', ...here])
  const { token } = await runJson<{ token: { secret: string } }>([
    ...['source', 'add', 'example.com', '--name', 'web', ...here],
  ])
  const answer = await fetch(`${server.url}/intake/logs`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token.secret}`, 'x-spoor-sender': 'trial' },
    body: JSON.stringify({ timestamp: Date.now(), path: '/', user_agent: 'GPTBot/1.2', status: 200 }),
  })
  expect(answer.status).toBe(200)
  expect(await runJson(['source', 'sender', 'list', 'web', ...here])).toMatchObject({
    senders: [{ name: 'trial', token_name: null, retired_at: null, silent_days: [] }],
  })
  expect(await run(['source', 'sender', 'retire', 'web', 'trial', ...here])).toMatchObject({
    code: 0,
    stdout: 'trial is no longer expected; its next delivery makes it expected again\n',
  })
  expect((await run(['source', 'sender', 'list', 'web', ...here])).stdout).toMatch(
    /^SENDER +LAST DELIVERY +EXPECTED UNTIL +SILENT DAYS\ntrial +20\S+ +retired 20\S+ +-\n$/,
  )
  expect(await run(['source', 'retire', 'web', ...here])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/Only the unnamed upload of a site is retired/),
  })
})
