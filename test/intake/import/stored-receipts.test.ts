import { afterAll, beforeAll, expect, test } from 'vitest'
import { ensureInstallation } from '#accounts/ensure-installation.ts'
import { addReceipts } from '#intake/import/receipt.ts'
import { readReceipts, storeReceipt } from '#intake/import/stored-receipts.ts'
import { addSite } from '#sites/sites.ts'
import { fakeClock } from '../../support/clock.ts'
import { openTestControl, type TestControl } from '../../support/control.ts'

const clock = fakeClock('2026-03-10T12:00:00Z')
let store: TestControl
beforeAll(async () => {
  store = await openTestControl()
})
afterAll(() => store.remove())

test('the newest hundred of a site are stored, without the text of lines and the hosts of other sites', async () => {
  const ctx = { control: store.control, clock }
  const owner = await ensureInstallation(store.control, clock)
  const [site, other] = [
    await addSite(ctx, { ...owner, domain: 'example.com' }),
    await addSite(ctx, { ...owner, domain: 'other.example' }),
  ]
  const receipt = {
    ...addReceipts([]),
    malformed: 1,
    other_hosts: { 'secret.example': 1 },
    malformed_samples: [{ line_number: 7, reason: 'no_user_agent', excerpt: 'secret text' }],
  }
  await storeReceipt(ctx, { site_id: other.id, label: 'other.log' }, receipt)
  for (let n = 0; n < 102; n += 1) {
    clock.advance(1)
    await storeReceipt(ctx, { site_id: site.id, label: `${n}.log` }, receipt)
  }
  const kept = await readReceipts(ctx, site.id, 200)
  expect(kept.map(({ label }) => label)).toEqual(Array.from({ length: 100 }, (_, n) => `${101 - n}.log`))
  expect(kept[0]?.receipt).toMatchObject({ malformed: 1, malformed_samples: [{ line_number: 7 }] })
  expect(await readReceipts(ctx, other.id, 1)).toMatchObject([{ label: 'other.log' }])
  expect(await store.contents()).not.toMatch(/secret text|secret\.example/)
})
