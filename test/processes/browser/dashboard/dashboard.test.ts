/** Use of the dashboard in real Chromium, before the real service: pointer, keys, roles, and a service that fails. */
import type { BrowserContext, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { createAccountToken } from '#accounts/account-tokens.ts'
import { addMember, addPerson } from '../../../operations/people.ts'
import { describeInBrowser } from '../../../support/describe-in-browser.ts'
import { nameUser, PASSWORD, signInAs } from '../../../support/person.ts'
import { follow, settled } from './open.ts'
import { testFaults, useDashboard } from './use-dashboard.ts'

describeInBrowser('the dashboard', () => {
  const used = useDashboard()
  const { dashboard, subjects, at } = used

  test('a day is selected by pointer, key and address, and left again', async () => {
    const overview = at('/sites/$site/performance')
    const page = await dashboard.open(overview)
    const broken = page.getByText('This could not be read.')
    const shows = async (url: RegExp) => {
      await page.waitForURL(url)
      await settled(page)
      // What was deferred is drawn by now.
      await page.waitForTimeout(300)
      expect([page.url(), await broken.count()]).toEqual([page.url(), 0])
    }
    const chart = page.locator('main [data-days]').first()
    const box = await chart.boundingBox()
    if (box === null) throw new Error('The chart is not drawn.')
    await page.mouse.click(box.x + box.width * 0.7, box.y + 150)
    await shows(/day=/)
    await page.getByRole('link', { name: 'Show the whole window' }).click()
    await shows(/performance$/)
    await chart.focus()
    for (const key of ['ArrowLeft', 'ArrowLeft', 'Enter']) await page.keyboard.press(key)
    await shows(/day=/)
    await page.keyboard.press('[')
    await shows(/day=/)
    for (let round = 0; round < 4; round += 1) {
      await page.reload()
      await shows(/day=/)
    }
    await page.getByRole('link', { name: 'Show the whole window' }).click()
    await shows(/performance$/)
    await page.close()
  })

  test('a chart is read by keys and pointer with one tooltip, which can be pointed at and closed', async () => {
    const CHARTS: readonly (readonly [path: string, keys: readonly string[], reading: RegExp])[] = [
      [
        '/sites/$site/performance?group=crawler',
        ['End', 'ArrowLeft', 'ArrowDown'],
        /^\d+ \w+, \S+ [\d,]+, watched in full$/,
      ],
      ['/brands/$brand/report?from=2026-03-01&to=2026-03-10', ['ArrowRight'], /\d+ of \d+ answers/],
      ['/sites/$site/funnels/$funnel', ['ArrowRight', 'ArrowRight'], /^step 2, /],
      ['/sites/$site/journeys', ['ArrowRight', 'ArrowRight'], /^Page 2, \S+, \d+ sessions; from /],
      ['/sites/$site/sources', ['End', 'ArrowLeft'], /^All hosts, \d+ \w+, watched in full$/],
    ]
    const page = await dashboard.open('/')
    const wrong: unknown[] = []
    for (const [path, keys, reading] of CHARTS) {
      await page.goto(`${dashboard.origin}${at(path)}`)
      await settled(page)
      const chart = page.locator('main [role=group][tabindex="0"]').first()
      const tooltip = chart.locator('div[aria-hidden=true].absolute')
      await chart.focus()
      for (const key of keys) await page.keyboard.press(key)
      const read = await chart.locator('[aria-live]').last().innerText()
      if (!reading.test(read) || (await tooltip.count()) !== 1) wrong.push([path, read])
      const box = await tooltip.boundingBox()
      await page.mouse.move((box?.x ?? 0) + 20, (box?.y ?? 0) + 20, { steps: 4 })
      if ((await tooltip.count()) !== 1) wrong.push([path, 'the tooltip cannot be pointed at'])
      await page.keyboard.press('Escape')
      if ((await tooltip.count()) !== 0) wrong.push([path, 'Escape does not close the tooltip'])
      await page.mouse.move(0, 0)
    }
    await page.close()
    expect(wrong).toEqual([])
  })

  test('a field shows its error when it loses the focus, and no button moves under the pointer', async () => {
    const page = await dashboard.open(at('/sites/$site/settings/retention'))
    const field = page.getByLabel('Days that evidence is kept')
    const save = page.getByRole('button', { name: 'Save' }).first()
    const fault = page.getByText('"0" is not allowed; enter a whole number from 1 to 36,500.')
    const fills = async (text: string) => {
      await field.fill(text)
      return fault.count()
    }
    expect(await fills('0')).toBe(0)
    const before = await save.boundingBox()
    await save.hover()
    await page.mouse.down()
    expect([await save.boundingBox(), await fault.count()]).toEqual([before, 0])
    await page.mouse.up()
    await fault.waitFor()
    expect([await fills('40'), await fills('0')]).toEqual([0, 1])
    await fills('3')
    await page.keyboard.press('Enter')
    await page
      .getByRole('dialog')
      .getByText(/pageviews.* will be deleted/)
      .waitFor()
    expect(await page.getByRole('dialog').innerText()).toMatch(/[\d,]+ observed requests and [\d,]+ pageviews/)
    await page.close()
  })

  test('a table that scrolls sideways keeps its first column, and a row leads to its page from every cell', async () => {
    const page = await dashboard.open(at('/sites/$site/crawlers?window=90d'))
    await page.setViewportSize({ width: 768, height: 900 })
    const row = page.locator('main tbody tr').first()
    const name = row.locator('td').first()
    const before = await name.boundingBox()
    const scrolled = await page
      .locator('main table')
      .first()
      .evaluate((table) => {
        const frame = table.closest('.overflow-x-auto') as HTMLElement
        frame.scrollLeft = frame.scrollWidth
        return [frame.scrollLeft, frame.scrollWidth - table.clientWidth]
      })
    // The link of a row makes the table no wider.
    expect([scrolled[0] === 0, scrolled[1]]).toEqual([false, 0])
    expect((await name.boundingBox())?.x).toBe(before?.x)
    // The link lies over the cell.
    await row.locator('td').last().click({ force: true })
    await page.waitForURL(/\/crawlers\/[\w-]+/)
    await page.close()
  })

  test('evidence over a page is in the address: a link opens it, going back closes it, and closing leaves no step', async () => {
    const page = await dashboard.open(at('/sites/$site/crawlers'))
    const drawer = page.getByRole('dialog', { name: 'Coverage' })
    await follow(page, at('/sites/$site/performance'))
    await page.getByRole('button', { name: / watched in full$/ }).click()
    await drawer.waitFor()
    expect(page.url()).toMatch(/drawer=coverage$/)
    await page.reload()
    await drawer.waitFor()
    await page.goBack()
    await drawer.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: / watched in full$/ }).click()
    await drawer.waitFor()
    await page.keyboard.press('Escape')
    await page.waitForURL(/performance$/)
    await page.goBack()
    await page.waitForURL(/crawlers$/)
    await page.close()
  })

  test('a picture of a chart has every line of its text within its width', async () => {
    const page = await dashboard.open(at('/sites/$site/crawlers/claudebot'))
    await page.evaluate(() => {
      const drawn: unknown[] = []
      Object.assign(globalThis, { drawn })
      const { fillText } = CanvasRenderingContext2D.prototype
      CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
        const end =
          (this.getTransform().a * (x + this.measureText(text).width) + this.getTransform().e) / this.canvas.width
        drawn.push([text, end])
        fillText.call(this, text, x, y)
      }
    })
    const panel = page.locator('section', { has: page.getByRole('heading', { name: 'Who it was' }) })
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      panel.getByRole('button', { name: 'Save as PNG' }).click(),
    ])
    expect(saved.suggestedFilename()).toBe('requests-by-identity.png')
    const drawn = await page.evaluate(() => (globalThis as unknown as { drawn: [string, number][] }).drawn)
    expect(drawn.length).toBeGreaterThan(5)
    expect(drawn.filter(([, end]) => end > 1)).toEqual([])
    await page.close()
  })

  test('a log that waits for another one is sent with the notes with which it was added', async () => {
    const { service, contextOf } = dashboard
    const context = await contextOf(await signInAs(service, service.installation.operator))
    const page = await dashboard.open(at('/sites/$site/sources/new'), context)
    const hosts: (string | null)[] = []
    let refuse = () => {}
    const refused = new Promise<void>((resolve) => {
      refuse = resolve
    })
    await page.route('**/dashboard-api/uploadLog?*', async (route) => {
      hosts.push(new URL(route.request().url()).searchParams.get('host'))
      await refused
      await route.fulfill({ status: 500, json: { code: 'internal_error', title: 'Internal error' } })
    })
    await page.getByText('Host, time zone, days covered').click()
    const host = page.getByLabel('Host for lines without one')
    await host.fill('a.example.com')
    const log = (name: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from('\n') })
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles([log('one.log'), log('two.log')])
    await page.getByText('Waiting for the file before it').waitFor()
    await host.fill('b.example.com')
    refuse()
    const again = page.getByRole('button', { name: 'Try again' })
    await again.nth(1).click()
    await expect.poll(() => hosts).toEqual(['a.example.com', 'a.example.com', 'b.example.com'])
    await context.close()
  })

  test('a secret that is replaced by two quick presses is replaced once, and shown', async () => {
    const { service, contextOf } = dashboard
    const { operator } = service.installation
    await createAccountToken(operator, { ...operator, name: 'pressed twice', scope: 'read' })
    const context = await contextOf(await signInAs(service, operator))
    const page = await dashboard.open('/settings/tokens', context)
    let requests = 0
    let answer = () => {}
    const answered = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page.route('**/dashboard-api/token.rotate', async (route) => {
      requests += 1
      await answered
      const refused = { status: 409, json: { code: 'conflict', title: 'Conflict', detail: 'It was revoked.' } }
      await route.fulfill(requests === 1 ? { json: { secret: 'spoor_acct_replaced' } } : refused)
    })
    await page.getByRole('button', { name: 'Replace' }).first().dblclick()
    await expect.poll(() => requests).toBe(1)
    answer()
    await page.getByText('spoor_acct_replaced').waitFor()
    expect(requests).toBe(1)
    await context.close()
  })

  test('a change that another person saves while a form is open is refused, not replaced', async () => {
    const page = await dashboard.context.newPage()
    await page.clock.install()
    const list = '**/dashboard-api/getAnalyticsConversions?*'
    await page.goto(`${dashboard.origin}${at('/sites/$site/conversions/$conversion')}`)
    await settled(page)
    await page.getByRole('button', { name: 'Edit' }).click()
    const save = page.getByRole('button', { name: /^Save revision \d+$/ })
    const opened = Number((await save.innerText()).replace(/\D+/g, '')) - 1
    const reread = page.waitForResponse(list)
    await page.route(list, async (route) => {
      const response = await route.fetch()
      const json = await response.json()
      for (const conversion of json.conversions) conversion.revision += 1
      await route.fulfill({ response, json })
    })
    // The page is read again each minute.
    await page.clock.fastForward(70_000)
    await reread
    const sent = page.waitForRequest('**/dashboard-api/conversion.edit')
    await page.route('**/dashboard-api/conversion.edit', (route) =>
      route.fulfill({ status: 409, json: { code: 'conflict', title: 'Conflict', detail: 'It was changed.' } }),
    )
    await save.click()
    expect((await sent).postDataJSON()).toMatchObject({ revision: opened })
    await page.getByText('It was changed.').waitFor()
    await page.close()
  })

  test('a filter keeps every letter that is typed on a slow processor', async () => {
    const page = await dashboard.open(at('/sites/$site/top-pages?window=90d'))
    const slow = await page.context().newCDPSession(page)
    await slow.send('Emulation.setCPUThrottlingRate', { rate: 20 })
    const field = page.getByLabel('Filter pages by address')
    await field.click()
    await page.keyboard.type('documentation')
    await slow.send('Emulation.setCPUThrottlingRate', { rate: 1 })
    await page.waitForURL(/q=documentation$/)
    expect(await field.inputValue()).toBe('documentation')
    await page.close()
  })

  test('messages stay readable and usable while a dialog makes the page inert', async () => {
    const page = await dashboard.open(at('/sites/$site/settings/data'))
    const message = page.locator('[role=status][aria-live=polite]').last()
    const isInert = () => message.evaluate((region) => region.closest('[inert], [aria-hidden=true]') !== null)
    await page
      .getByRole('button', { name: /^Delete/ })
      .first()
      .click()
    await page.getByRole('dialog').waitFor()
    expect(await page.locator('main').evaluate((main) => main.closest('[inert], [aria-hidden=true]') !== null)).toBe(
      true,
    )
    expect(await isInert()).toBe(false)
    await page.close()
  })

  test('a confirmation that is opened again has nothing of what was typed before', async () => {
    const page = await dashboard.open(at('/sites/$site/settings/data'))
    const opener = page.getByRole('button', { name: /^Delete/ }).first()
    const dialog = page.getByRole('dialog')
    await opener.click()
    await dialog.getByRole('textbox').fill('example.com')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await opener.click()
    expect(await dialog.getByRole('textbox').inputValue()).toBe('')
    await page.close()
  })

  test('a page is left only after a question while logs wait to be sent', async () => {
    const { service, contextOf } = dashboard
    const context = await contextOf(await signInAs(service, service.installation.operator))
    const page = await dashboard.open(at('/sites/$site/sources/new'), context)
    await page.route('**/dashboard-api/uploadLog?*', () => {})
    const log = (name: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from('\n') })
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles([log('one.log'), log('two.log')])
    await page.getByText('Waiting for the file before it').waitFor()
    const leave = () => page.getByRole('link', { name: 'Crawlers', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await leave()
    await dialog.getByText('1 file waits and will not be sent.').waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect(page.url()).toMatch(/sources\/new$/)
    await leave()
    await dialog.getByRole('button', { name: 'Leave the page' }).click()
    await page.waitForURL(/\/crawlers/)
    await context.close()
  })

  test('a layer over a page stays inside of a narrow window, and can be closed', async () => {
    const LAYERS: readonly (readonly [path: string, opener: RegExp])[] = [
      ['/sites/$site/performance', /^Menu$/],
      ['/sites/$site/performance', / watched in full$/],
      ['/brands/$brand/report', /2026 UTC$/],
      ['/brands/$brand/answers', /^Import/],
      ['/sites/$site/settings/data', /^Delete/],
    ]
    const page = await dashboard.open('/')
    await page.setViewportSize({ width: 320, height: 568 })
    const wrong: unknown[] = []
    for (const [path, name] of LAYERS) {
      await page.goto(`${dashboard.origin}${at(path)}`)
      await settled(page)
      await page.getByRole('button', { name }).filter({ visible: true }).first().click()
      const layer = page.getByRole('dialog')
      await layer.waitFor()
      const cut = await layer.evaluate(cutOff)
      if (cut.length > 0) wrong.push([path, cut])
      await page.keyboard.press('Escape')
      await layer.waitFor({ state: 'detached' })
    }
    await page.close()
    expect(wrong).toEqual([])
  })

  describe('roles', () => {
    /** Pages on which something can be changed, and who may do none of it. */
    const PAGES = [
      '/sites/$site/settings/members',
      '/sites/$site/conversions/new',
      '/sites/$site/funnels/new',
      '/brands/$brand/questions',
    ]
    const MAY: Readonly<Record<string, readonly boolean[]>> = {
      viewer: [false, false, false, false],
      editor: [false, true, true, true],
      owner: [true, true, true, true],
    }

    test.each(Object.entries(MAY))(
      '%s: actions that the role lacks are visible, and say who can do them',
      async (role, may) => {
        const { service } = dashboard
        const person = await addPerson(service, service.installation.operator.account_id)
        const site = { id: subjects.site as string } as Parameters<typeof addMember>[2]
        await addMember(service, person, site, role as 'owner')
        const context = await dashboard.contextOf(await signInAs(service, person))
        const shown: unknown[] = []
        for (const path of PAGES) {
          const page = await dashboard.open(at(path), context)
          const forbidden = await page.locator('main [aria-disabled=true]', { hasText: 'can do this.' }).count()
          shown.push([path, forbidden === 0])
          await page.close()
        }
        await context.close()
        expect(shown).toEqual(PAGES.map((path, index) => [path, may[index]]))
      },
    )

    test('Enter in a field of a form that the role lacks sends nothing', async () => {
      const { service } = dashboard
      const person = await addPerson(service, service.installation.operator.account_id)
      await addMember(service, person, { id: subjects.site as string } as Parameters<typeof addMember>[2], 'viewer')
      const context = await dashboard.contextOf(await signInAs(service, person))
      const page = await dashboard.open(at('/sites/$site/settings/members'), context)
      const sent: string[] = []
      page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()))
      await page.getByLabel('E-mail').fill('a@example.org')
      await page.getByLabel('E-mail').press('Enter')
      await page.goto(`${dashboard.origin}${at('/sites/$site/settings/alerts')}`)
      await settled(page)
      await page.getByLabel('URL').fill('https://example.org/hook')
      await page.getByLabel('URL').press('Enter')
      expect(sent).toEqual([])
      await context.close()
    })

    test('a stranger finds no site and no brand', async () => {
      const context = await dashboard.contextOf(await signInAs(dashboard.service, await addPerson(dashboard.service)))
      const page = await dashboard.open(at('/sites/$site/performance'), context)
      expect(await page.getByText('There is no such site, or you are not a member of it.').count()).toBe(1)
      await page.goto(`${dashboard.origin}${at('/brands/$brand/report')}`)
      await page.getByText('There is no such brand, or you may not read it.').waitFor()
      await context.close()
    })
  })

  describe('the keyboard', () => {
    test('finds a page, goes to it, and does nothing once single keys are off', async () => {
      const page = await dashboard.open(at('/sites/$site/performance'))
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: 'Find' }).fill('issues')
      await page.keyboard.press('Enter')
      await page.waitForURL(/\/issues/)
      await expect.poll(() => focused(page)).toBe('H1')
      await page.keyboard.press('g')
      await page.keyboard.press('c')
      await page.waitForURL(/\/crawlers/)
      await page.keyboard.press('?')
      await page.getByLabel('Enable single-key shortcuts').uncheck()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await page.keyboard.press('g')
      await page.keyboard.press('i')
      expect(page.url()).toContain('/crawlers')
      await page.evaluate(() => localStorage.clear())
      await page.close()
    })

    test('opens the palette again and again, keeps the chosen entry in sight, and gets the focus back', async () => {
      const page = await dashboard.open(at('/sites/$site/performance'))
      await page.setViewportSize({ width: 390, height: 480 })
      const opener = page.getByRole('button', { name: 'Find', exact: true })
      for (const _turn of [1, 2]) {
        await opener.focus()
        await page.keyboard.press('Enter')
        await page.getByRole('combobox', { name: 'Find' }).waitFor()
        for (let press = 0; press < 11; press += 1) await page.keyboard.press('ArrowDown')
        const chosen = page.getByRole('option', { selected: true })
        await expect.poll(() => chosen.evaluate(isInSight)).toBe(true)
        await page.keyboard.press('Escape')
        await page.getByRole('dialog').waitFor({ state: 'detached' })
        await expect.poll(() => focused(page)).toBe('Find')
      }
      await page.close()
    })

    test('opens a menu and a list, and gets the focus back when they close', async () => {
      const page = await dashboard.open(at('/brands/$brand/report'))
      const menus: readonly (readonly [opener: RegExp, role: 'menu' | 'listbox' | 'dialog'])[] = [
        [/^Export$/, 'menu'],
        [/^Engines:/, 'menu'],
        [/Site$/, 'listbox'],
        [/2026 UTC$/, 'dialog'],
      ]
      for (const [name, role] of menus) {
        // The second time its code is already there.
        for (const _turn of [1, 2]) {
          await page.getByRole('button', { name }).focus()
          await page.keyboard.press('Enter')
          await page.getByRole(role).waitFor()
          await page.keyboard.press('Escape')
          await page.getByRole(role).waitFor({ state: 'detached' })
          await expect.poll(() => focused(page)).toMatch(name)
        }
      }
      await page.close()
    })

    test('sorts a table and stays on its head', async () => {
      const page = await dashboard.open(at('/sites/$site/pages'))
      const head = page.getByRole('button', { name: 'Entries' })
      await head.focus()
      await page.keyboard.press('Enter')
      await page.waitForURL(/sort=-entries/)
      expect(await page.getByRole('columnheader', { name: 'Entries' }).getAttribute('aria-sort')).toBe('descending')
      expect(await focused(page)).toMatch(/^Entries/)
      await page.close()
    })

    test('stays in a dialog, and returns to its previous place with Escape', async () => {
      const page = await dashboard.open(at('/sites/$site/settings/data'))
      const opener = page.getByRole('button', { name: /^Delete/ }).first()
      await opener.focus()
      const name = await focused(page)
      await page.keyboard.press('Enter')
      const dialog = page.getByRole('dialog')
      await dialog.waitFor()
      for (let turn = 0; turn < 8; turn += 1) {
        await page.keyboard.press('Tab')
        expect(await dialog.evaluate((element) => element.contains(document.activeElement))).toBe(true)
      }
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
      await expect.poll(() => focused(page)).toBe(name)
      await page.close()
    })

    test.each(['/sites/$site/funnels/new', '/sites/$site/conversions/new'])(
      'reaches everything of %s',
      async (path) => {
        const page = await dashboard.open(at(path))
        const controls = await page.locator('main :is(button, a[href], input, select, textarea):visible').count()
        const reached = new Set<string>()
        await page.locator('h1').focus()
        for (let turn = 0; turn < controls + 20; turn += 1) {
          await page.keyboard.press('Tab')
          reached.add(await focused(page))
        }
        expect([...reached]).toContain(await page.locator('main button.bg-ink').first().innerText())
        await page.close()
      },
    )
  })

  describe('when the service', () => {
    const withFault = async (work: (page: Page, context: BrowserContext) => Promise<void>) => {
      const { service, contextOf } = dashboard
      const context = await contextOf(await signInAs(service, service.installation.operator))
      await work(await context.newPage(), context)
      await context.close()
    }

    test('cannot be reached, each panel says so, and tries again', () =>
      withFault(async (page) => {
        await page.route('**/dashboard-api/getTopPages?*', (route) => route.abort())
        await page.goto(`${dashboard.origin}${at('/sites/$site/performance')}`)
        await page.getByText('This could not be read.').first().waitFor()
        await page.getByText('Observed requests', { exact: true }).first().waitFor()
        await page.unroute('**/dashboard-api/getTopPages?*')
        await page.getByRole('button', { name: 'Try again' }).first().click()
        await page.getByRole('table', { name: 'Pages with the most requests' }).waitFor()
      }))

    test('is slow, it says that it is still reading, and then shows the answer', () =>
      withFault(async (page) => {
        let answer = () => {}
        const answered = new Promise<void>((resolve) => {
          answer = resolve
        })
        await page.route('**/dashboard-api/getCrawlers?*', async (route) => {
          await answered
          await route.continue()
        })
        await page.goto(`${dashboard.origin}${at('/sites/$site/crawlers')}`)
        await page.getByText('Still reading.').waitFor()
        answer()
        await page.getByRole('table').first().waitFor()
        expect(await page.getByText('Still reading.').count()).toBe(0)
      }))

    test('is slow, what is already shown stays in its place when the answers come', () =>
      withFault(async (page) => {
        let answer = () => {}
        const answered = new Promise<void>((resolve) => {
          answer = resolve
        })
        await page.route(/dashboard-api\/(?!getSession)/, async (route) => {
          await answered
          await route.continue()
        })
        await page.setViewportSize({ width: 390, height: 900 })
        await page.goto(`${dashboard.origin}${at('/sites/$site/performance')}`)
        const topOf = async (name: string) => (await page.getByRole('region', { name }).boundingBox())?.y
        await page.getByRole('region', { name: 'Figures' }).waitFor()
        const before = await topOf('Figures')
        answer()
        await settled(page)
        // Half a line: chips and lines differ in their number of lines.
        expect(Math.abs(((await topOf('Figures')) ?? 0) - (before ?? 0))).toBeLessThan(9)
      }))

    test('no longer knows the session, sign-in is asked for over the page', () =>
      withFault(async (page, context) => {
        await page.goto(`${dashboard.origin}${at('/sites/$site/crawlers')}`)
        await settled(page)
        await context.clearCookies()
        await page.getByRole('link', { name: '7d', exact: true }).click()
        await page.getByRole('dialog', { name: 'Sign in again' }).waitFor()
        expect(page.url()).toContain('window=7d')
      }))

    test('no longer knows the session, another person who signs in begins on the first page', () =>
      withFault(async (page, context) => {
        const { service, origin } = dashboard
        const other = await addPerson(service)
        await nameUser(service, other.user_id, 'other@example.com')
        await page.goto(`${origin}${at('/sites/$site/crawlers')}`)
        await settled(page)
        await context.clearCookies()
        await page.getByRole('link', { name: '7d', exact: true }).click()
        const dialog = page.getByRole('dialog', { name: 'Sign in again' })
        await dialog.getByLabel('E-mail').fill('other@example.com')
        await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD)
        await dialog.getByRole('button', { name: 'Sign in' }).click()
        await page.getByText('other@example.com').first().waitFor()
        expect(new URL(page.url()).pathname).toBe('/sites')
        expect(await page.getByRole('dialog').count()).toBe(0)
      }))

    test('refuses a page, it says why', () =>
      withFault(async (page) => {
        await page.goto(`${dashboard.origin}${at('/sites/$site/crawlers/no-such-crawler')}`)
        await page
          .locator('main')
          .getByText(/no-such-crawler|no such/i)
          .first()
          .waitFor()
      }))
  })

  test('the page of another site has nothing that was typed for the site before', async () => {
    const other = await dashboard.service.addSite('other.example')
    const page = await dashboard.open(at('/sites/$site/access-checks'))
    const field = page.getByLabel('URL on this site')
    await field.fill('https://example.com/typed')
    await page.evaluate((to) => history.pushState(null, '', to), `/sites/${other.id}/access-checks`)
    await expect.poll(() => field.inputValue()).toBe('https://other.example/')
    await page.close()
  })

  testFaults(used)
})

/** The name of what has the focus; of a heading, its element. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const { activeElement: element } = document
    if (element === null || /^H\d$/.test(element.tagName)) return element?.tagName ?? ''
    const labels = element.getAttribute('aria-labelledby')?.split(' ') ?? []
    const labelled = labels.map((id) => document.getElementById(id)?.textContent).join(' ')
    return element.getAttribute('aria-label') ?? (labelled === '' ? (element.textContent ?? '') : labelled)
  })

/** Texts of a layer that lie outside of the window to the side, where nothing scrolls to them. */
const cutOff = (layer: Element): string[] =>
  [...layer.querySelectorAll(':not(.sr-only, .sr-only *)')]
    .filter((one) => {
      const { left, right, width } = one.getBoundingClientRect()
      return width > 0 && (left < -1 || right > innerWidth + 1)
    })
    .map(({ textContent }) => textContent ?? '')

/** Whether nothing of an entry is cut off by the list that scrolls it, or by the window. */
function isInSight(entry: Element): boolean {
  const list = entry.parentElement?.getBoundingClientRect()
  const { top, bottom } = entry.getBoundingClientRect()
  return list !== undefined && top >= list.top && bottom <= Math.min(list.bottom, innerHeight)
}
