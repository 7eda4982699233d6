import { readFileSync, statSync } from 'node:fs'
import { expect, test } from 'vitest'
import { preparedFolder, run, runJson, serve } from '../../support/cli.ts'

const TOKEN = /^spoor_src_[\w-]{43}$/

test('a source is added, steered and ended without a server', async () => {
  const { data, file } = await preparedFolder()
  const here = ['--data', data]
  await runJson(['site', 'add', 'example.com', ...here])
  const added = await run(['source', 'add', 'example.com', '--type', 'https_intake', '--name', 'web1', ...here])
  expect(added.stdout.trim()).toMatch(TOKEN)
  expect(added.stderr).toMatch(/^Added source [\w-]{36} of example\.com\. The token above is shown only now/)
  const second = await runJson([
    'source',
    'token',
    'create',
    'web1',
    '--name',
    'b',
    '--secret-file',
    file('t'),
    ...here,
  ])
  expect(second).toEqual({
    id: expect.any(String),
    prefix: expect.stringMatching(/^spoor_src_[\w-]{8}$/),
    source_id: expect.any(String),
    secret_file: file('t'),
  })
  expect(readFileSync(file('t'), 'utf8').trim()).toMatch(TOKEN)
  expect(statSync(file('t')).mode & 0o777).toBe(0o600)
  expect((await run(['source', 'token', 'list', 'web1', ...here])).stdout).toMatch(
    /^NAME +PREFIX +ID +LAST USED +REVOKED\nweb1 .* never +no\nb .* never +no\n$/,
  )
  const revoked = await run(['source', 'token', 'revoke', String(second.prefix), ...here])
  expect(revoked.stdout).toMatch(/^Revoked b \(spoor_src_[\w-]{8}\) at 20/)
  expect((await run(['source', 'list', '--site', 'example.com', ...here])).stdout).toMatch(
    /^NAME +TYPE +ID +STATE +COUNTS +DATA THROUGH\nweb1 +https_intake +[\w-]{36} +pending +no +nothing yet\n$/,
  )
  expect(await run(['source', 'primary', 'web1', 'off', ...here])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/Nothing durable has arrived/),
  })
  expect((await run(['source', 'primary', 'web1', 'maybe', ...here])).code).toBe(2)
  expect((await run(['source', 'disconnect', 'web1', ...here])).stdout).toBe('web1 is disconnected\n')
  expect((await run(['source', 'reconnect', 'web1', ...here])).stdout).toBe('web1 is pending\n')
  expect((await run(['source', 'add', 'example.com', '--type', 'log_upload', '--name', 'x', ...here])).code).toBe(2)
})

test('a real sender delivers to a running service, and its token is never logged', async () => {
  const { data } = await preparedFolder()
  const server = await serve(data)
  const here = ['--data', data]
  await runJson(['site', 'add', 'example.com', ...here])
  const { token, id } = await runJson<{ id: string; token: { id: string; secret: string } }>([
    ...['source', 'add', 'example.com', '--name', 'web1', ...here],
  ])
  const record = { timestamp: Date.now(), path: '/', user_agent: 'GPTBot/1.2', status: 200 }
  const send = async () => {
    const headers = { authorization: `Bearer ${token.secret}` }
    const body = `${JSON.stringify(record)}\n`
    const answer = await fetch(`${server.url}/intake/logs`, { method: 'POST', headers, body })
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
  }
  expect(await send()).toMatchObject({ status: 200, body: { accepted: 1 } })
  expect(await runJson(['source', 'list', '--site', 'example.com', ...here])).toMatchObject({
    sources: [{ id, name: 'web1', connection_status: 'live', is_primary: true, tokens: 1 }],
  })
  await runJson(['source', 'token', 'revoke', token.id, ...here])
  expect((await send()).status).toBe(401)
  expect(server.stderr()).not.toContain('spoor_src_')
})
