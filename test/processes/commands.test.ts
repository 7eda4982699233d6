/**
 * Commands in processes of their own say and end as they do in a test's process, which every other test of a command
 * relies on.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { builtInDocument } from '#crawlers/registry/built-in.ts'
import { selfSigned } from '../support/certificate.ts'
import { preparedFolder, run, workFolder } from '../support/cli.ts'
import { runProcess } from '../support/processes.ts'

test.each([
  ['its help', ['site', 'add', '--help'], 0],
  ['bad usage', ['site', 'list', '--frobnicate'], 2],
  ['a refusal as JSON', ['import', 'none.log', '--site', 'example.com', '--json'], 1],
])('a process ends with the code and the words of the command: %s', async (_what, args, code) => {
  const { data } = await preparedFolder()
  const here = args.includes('--site') ? [...args, '--data', data] : args
  const ended = await runProcess(here)
  expect(ended).toEqual(await run(here))
  expect(ended.code).toBe(code)
})

test('a data folder whose path is too long for a socket is reached from nearby by its relative path', async () => {
  const { folder } = workFolder()
  const parent = join(folder, 'd'.repeat(120))
  mkdirSync(parent)
  const add = ['site', 'add', 'example.com', '--data', join(parent, 'data')]
  expect(await runProcess(add)).toMatchObject({ code: 1, stderr: expect.stringMatching(/too long for a Unix socket/) })
  expect(await runProcess(add, { cwd: parent })).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/^Made a new, empty data folder: /),
  })
})

test('a process trusts the certificates that NODE_EXTRA_CA_CERTS names', async () => {
  const { data, file } = workFolder()
  const identity = selfSigned('localhost')
  writeFileSync(file('ca.pem'), identity.cert)
  const newer = { ...builtInDocument, version: '2099-01-01.1' }
  const server = createServer(identity, (_request, response) => void response.end(JSON.stringify(newer)))
  onTestFinished(() => void server.close())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const env = { SPOOR_ALLOW_NETWORKS: '127.0.0.0/8,::1', SPOOR_ALLOW_PORTS: String(port) }
  const update = ['registry', 'update', `https://localhost:${port}/registry.json`, '--data', data]
  expect(await runProcess(update, { env: { ...env, NODE_EXTRA_CA_CERTS: file('ca.pem') } })).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`Registry ${newer.version} is in force`),
  })
})
