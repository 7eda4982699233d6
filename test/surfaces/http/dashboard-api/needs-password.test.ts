import { expect, test } from 'vitest'
import { dashboardOperations } from '#contract/dashboard-api/index.ts'
import { managementOperations } from '#contract/management-api/index.ts'
import { needsPassword, PASSWORD_OPERATIONS } from '#surfaces/http/dashboard-api/needs-password.ts'

test('names operations that exist and change something', () => {
  const known = new Map(
    [...managementOperations, ...dashboardOperations].map(({ id, effect }) => [id as string, effect]),
  )
  expect(PASSWORD_OPERATIONS.map((id) => [id, known.get(id)])).toEqual(PASSWORD_OPERATIONS.map((id) => [id, 'write']))
})

test('making a key, changing an owner and removing ask for it; reading and editing do not', () => {
  expect(needsPassword('token.create', {})).toBe(true)
  expect(needsPassword('member.add', { role: 'owner' })).toBe(true)
  expect(needsPassword('member.add', { role: 'viewer' })).toBe(false)
  expect(needsPassword('tracker.key_create', { kind: 'public' })).toBe(false)
  expect(needsPassword('site.remove', {})).toBe(true)
  expect(needsPassword('fix.remove', {})).toBe(true)
  expect(needsPassword('engine.configure', { base_url: 'https://example.com' })).toBe(true)
  expect(needsPassword('engine.configure', { model: 'small' })).toBe(false)
  expect(needsPassword('site.retention', { days: 3 })).toBe(true)
  expect(needsPassword('site.retention', {})).toBe(false)
  expect(needsPassword('brand.retention', { days: 3 })).toBe(true)
  expect(needsPassword('conversion.add', {})).toBe(false)
})
