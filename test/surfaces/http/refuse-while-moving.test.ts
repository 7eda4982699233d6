import { afterAll, beforeAll, expect, test } from 'vitest'
import { refuseWhileMoving } from '#surfaces/http/refuse-while-moving.ts'
import { openTestService, type TestService } from '../../support/service.ts'

let service: TestService
let is_moving = false
beforeAll(async () => {
  service = await openTestService('2026-03-10T12:00:00Z')
  refuseWhileMoving(service.http, () => is_moving, 30)
  await service.addSite('example.com')
  await service.createKey()
  is_moving = true
})
afterAll(() => service.close())

const post = (path: string) =>
  service.ask(path, { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } })

test('what stores something is 503 with Retry-After', async () => {
  const answer = await post('/intake/logs')
  expect([answer.status, answer.headers['retry-after'], answer.headers['content-type']]).toEqual([
    ...[503, '30', 'application/problem+json'],
  ])
  expect(answer.json).toMatchObject({ type: 'urn:spoor:problem:moving', status: 503, code: 'moving' })
})

test('surface A answers with one of its statuses', async () => {
  const answer = await post('/v1/sites/example.com/access-checks')
  expect([answer.status, answer.headers['retry-after'], answer.headers['content-type']]).toEqual([
    ...[500, '30', 'application/problem+json'],
  ])
  expect(answer.json).toMatchObject({ type: 'urn:spoor:problem:internal_error', title: 'internal error', status: 500 })
  expect(answer.json.detail).toMatch(/^The service moves to other stores/)
})

test('surface B answers in its form, with one of its codes', async () => {
  const answer = await post('/api/v1/brands/3f2504e0-4f89-41d3-9a0c-0305e82c3301/questions')
  expect([answer.status, answer.headers['retry-after']]).toEqual([500, '30'])
  expect(answer.json).toEqual({ message: expect.stringMatching(/^The service moves/), code: 'server_error' })
})

test('reads continue, including those of MCP, which use POST', async () => {
  expect((await service.ask('/v1/sites')).status).toBe(200)
  const answer = await post('/mcp')
  expect([answer.status, answer.json]).toMatchObject([401, { error: { data: { code: 'unauthorized' } } }])
})
