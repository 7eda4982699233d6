import { randomBytes } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { readConfig } from '#config.ts'
import { checkSecrets } from '#health/secrets.ts'
import { openSecretBox } from '#secrets/secret-box.ts'
import { replaceOrderKey } from '#tracker/keys/order-key.ts'
import { enableTracker } from '#tracker/keys/trackers.ts'
import { serviceOfFile } from '../support/fresh.ts'
import type { TestService } from '../support/service.ts'

let service: TestService
const shared = serviceOfFile()
beforeEach(async () => {
  service = await shared.fresh('2026-03-08T12:00:00Z')
})

const boxOf = (key: Buffer) => openSecretBox(service.folder, readConfig({ SPOOR_SECRET_KEY: key.toString('base64') }))

async function found(secrets = service.installation.secrets) {
  const { control } = service.installation
  return checkSecrets({ control, clock: service.clock, secrets })
}

test('without a sealed secret nothing is said of the secret key', async () => {
  expect(await found()).toEqual([])
})

test('a secret key that decrypts nothing is named, with what it does not decrypt', async () => {
  const { control, secrets } = service.installation
  const ids = [await service.addSite('example.com'), await service.addSite('example.org')].map(({ id }) => id)
  for (const site_id of ids) await enableTracker({ control, clock: service.clock, secrets }, { site_id })
  expect(await found()).toMatchObject([{ code: 'secrets', level: 'ok' }])
  const wrong = boxOf(randomBytes(32))
  expect(await found(wrong)).toMatchObject([
    {
      code: 'secret_key_differs',
      level: 'warn',
      message:
        'None of 2 stored secrets can be opened with the secret key in use. Sealed with another: order keys of sites: 2.',
    },
  ])
  await replaceOrderKey({ control, clock: service.clock, secrets: wrong }, ids[0] as string)
  expect((await found(wrong)).map(({ code, message }) => [code, message])).toEqual([
    [
      'secret_key_differs',
      'Only 1 of 2 stored secrets can be opened with the secret key in use. Sealed with another: order keys of sites: 1.',
    ],
    ['order_keys_replaced', 'Orders of 1 site from before and after do not match.'],
  ])
  service.clock.advance(31 * 86_400_000)
  expect((await found(wrong)).map(({ code }) => code)).toEqual(['secret_key_differs'])
})

test('the right key is in force again when its secret key is back', async () => {
  const { control, secrets } = service.installation
  const { id } = await service.addSite('example.com')
  await enableTracker({ control, clock: service.clock, secrets }, { site_id: id })
  const first = await replaceOrderKey({ control, clock: service.clock, secrets }, id)
  const wrong = boxOf(randomBytes(32))
  const other = await replaceOrderKey({ control, clock: service.clock, secrets: wrong }, id)
  expect(other).not.toBe(first)
  expect(await replaceOrderKey({ control, clock: service.clock, secrets }, id)).toBe(first)
  expect(await replaceOrderKey({ control, clock: service.clock, secrets: wrong }, id)).toBe(other)
})
