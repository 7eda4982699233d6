import { join } from 'node:path'
import pino from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createManagementClient } from '#contract/management-api/client.ts'
import { askServer } from '#surfaces/operator/socket-client.ts'
import { type OperatorSocket, openOperatorSocket } from '#surfaces/operator/socket-server.ts'
import { openTestService, type TestService } from '../../support/service.ts'

let service: TestService
let socket: OperatorSocket
let path: string

beforeEach(async () => {
  service = await openTestService('2026-03-10T12:00:00Z')
  path = join(service.folder, 'spoor.sock')
  const { operator, importLog, backup, moveTo } = service.installation
  const log = pino({ level: 'silent' })
  socket = await openOperatorSocket(path, {
    context: operator,
    log,
    importLog,
    backup,
    moveTo,
    refuse: (error) => error,
  })
})
afterEach(async () => {
  await socket.stop()
  await service.close()
})

test('a typed client steers a running service over its socket, and gets its refusals in words', async () => {
  const client = createManagementClient((id, input) => askServer(path, id, input))
  const site = await client['site.add']({ domain: 'example.com' })
  expect((await client['site.list']()).sites).toEqual([expect.objectContaining({ id: site.id })])
  const key = await client['tracker.key_create']({ site: site.id, kind: 'public' }).catch((error: unknown) => error)
  expect(key).toMatchObject({
    kind: 'conflict',
    message: 'The site has no tracker yet: enable it first (spoor tracker enable SITE).',
  })
  expect(await client['tracker.enable']({ site: 'example.com' })).toMatchObject({ state: 'enabled' })
  await expect(client['site.retention']({ site: 'example.net', days: 5 })).rejects.toMatchObject({
    kind: 'site_not_found',
    message: expect.stringMatching(/"example\.net": spoor site list shows all of them/),
  })
})
