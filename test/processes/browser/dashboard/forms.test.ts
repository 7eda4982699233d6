/** Forms of the dashboard that people work with by keys, by dragging and by several presses. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeInBrowser } from '../../../support/describe-in-browser.ts'
import { fill, findSubjects, type Subjects } from './addresses.ts'
import { type OpenedDashboard, openDashboard } from './open.ts'

describeInBrowser('forms of the dashboard', () => {
  let dashboard: OpenedDashboard
  let subjects: Subjects
  const at = (path: string) => fill(path, subjects)
  beforeAll(async () => {
    dashboard = await openDashboard()
    subjects = await findSubjects(dashboard)
  })
  afterAll(() => dashboard?.close())

  test('a step of a funnel moves by Alt with an arrow key, by its buttons and by dragging, and keeps the focus', async () => {
    const page = await dashboard.open(at('/sites/$site/funnels/$funnel/edit'))
    const steps = page.locator('[data-step]')
    await expect.poll(() => steps.count()).toBeGreaterThanOrEqual(2)
    /** What each step is, without its place. */
    const order = async () =>
      (await steps.evaluateAll((rows) => rows.map((row) => row.getAttribute('aria-label')))).map((label) =>
        label?.replace(/^Step \d+ of \d+: /, ''),
      )
    const before = await order()
    const [first, second, ...others] = before
    const swapped = [second, first, ...others]
    await steps.nth(0).focus()
    await page.keyboard.press('Alt+ArrowDown')
    await expect.poll(order).toEqual(swapped)
    await expect.poll(() => steps.nth(1).evaluate((row) => row === document.activeElement)).toBe(true)
    await page.getByRole('button', { name: 'Move step 2 up' }).click()
    await expect.poll(order).toEqual(before)
    await steps.nth(0).dragTo(steps.nth(1))
    await expect.poll(order).toEqual(swapped)
    await page.getByRole('button', { name: 'Remove step 1' }).click()
    await expect.poll(order).toEqual([first, ...others])
    await page.close()
  }, 60_000)

  test('a fix is accepted and marked as done, but not dismissed by a person who has not seen that another accepted it', async () => {
    const brand = subjects.brand as string
    const listed = () =>
      dashboard.ask<{ fixes: { id: string; title: string; status: string }[] }>('listFixes', { brandId: brand })
    const open = (await listed()).fixes.find(({ status }) => status === 'open')
    if (open === undefined) throw new Error("the demo's history holds no open fix")
    const statusOf = async () => (await listed()).fixes.find(({ id }) => id === open.id)?.status
    const page = await dashboard.open(at('/brands/$brand/fixes'))
    const other = await dashboard.open(at('/brands/$brand/fixes'))
    const card = page.locator('section', { hasText: open.title }).last()
    const seen = other.locator('section', { hasText: open.title }).last()
    await card.getByRole('button', { name: 'Accept' }).click()
    await expect.poll(statusOf).toBe('accepted')
    await seen.getByRole('button', { name: 'Dismiss' }).click()
    await other.getByRole('dialog').getByLabel('Reason (optional)').fill('no longer needed')
    await other.getByRole('dialog').getByRole('button', { name: 'Dismiss' }).click()
    // The list of open fixes is read again, without it.
    await expect.poll(() => seen.count()).toBe(0)
    expect(await statusOf()).toBe('accepted')
    const accepted = await dashboard.open(at('/brands/$brand/fixes?status=accepted'))
    await accepted
      .locator('section', { hasText: open.title })
      .last()
      .getByRole('button', { name: 'Mark as done' })
      .click()
    await expect.poll(statusOf).toBe('completed')
    await Promise.all([page, other, accepted].map((shown) => shown.close()))
  }, 60_000)

  test('a file of search data without its property and days is imported with those that are entered', async () => {
    const page = await dashboard.open(at('/brands/$brand/settings'))
    const csv = 'Top pages,Clicks,Impressions,CTR,Position\nhttps://www.example.com/a,5,50,10%,3.2\n'
    const file = { name: 'pages.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) }
    await page.getByRole('button', { name: 'Import a file' }).click()
    const dialog = page.getByRole('dialog', { name: 'Import search data' })
    await dialog.locator('input[type=file]').setInputFiles(file)
    const property = dialog.getByLabel('Property')
    // The fields open once the file was refused.
    await property.fill('sc-domain:example.com')
    await dialog.getByLabel('First day').fill('2026-02-01')
    await dialog.getByLabel('Last day').fill('2026-02-28')
    await dialog.locator('input[type=file]').setInputFiles(file)
    await expect.poll(() => dialog.textContent()).toContain('sc-domain:example.com.')
    await page.close()
  }, 60_000)
})
