/**
 * What an import says of layouts whose user agent cannot be recognized for certain, and of those that look like them
 * and are read.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestService, type TestService } from '../../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await openTestService('2026-03-10T12:00:00Z')
})
afterAll(() => service.close())

const BOT = 'Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)'
const PERSON = 'Mozilla/5.0 (X11; Linux x86_64; rv:148.0) Gecko/20100101 Firefox/148.0'
let sites = 0
const freshSite = () => service.addSite(`layout-${sites++}.example`)

test('Istio’s default text log counts its crawlers and its human requests', async () => {
  const site = await freshSite()
  const line = (second: number, agent: string) =>
    `[2026-03-10T10:00:0${second}.250Z] "GET /page HTTP/2" 200 - via_upstream - "-" 0 135 4 3 "203.0.113.9" "${agent}" "84961386-6d84-929d-98bd-c5aee93b5c88" "${site.root_domain}" "10.0.0.2:8000" outbound|8000||web 10.44.1.27:41854 10.44.1.23:80 192.0.2.7:37652 - default`
  const receipt = await service.importText(site, `${line(1, BOT)}\n${line(2, PERSON)}\n${line(3, '-')}\n`)
  expect(receipt).toMatchObject({ lines: 3, stored: 1, human: 2, malformed: 0, by_crawler: { gptbot: 1 } })
  expect(receipt.hosts).toEqual({ [site.root_domain]: 3 })
})

const FRONT = '192.0.2.7 - - [10/Mar/2026:10:00:01 +0000]'
test.each([
  ['agent before referer', (agent: string) => `${FRONT} "GET /f HTTP/1.1" 200 512 "${agent}" "-"`],
  ['a host after the request', (agent: string) => `${FRONT} "GET /f HTTP/1.1" "www.example.com" 404 5 "-" "${agent}"`],
  ['a host before the request', (agent: string) => `${FRONT} "www.example.com" "GET /f HTTP/1.1" 200 5 "-" "${agent}"`],
  ['an address after the size', (agent: string) => `${FRONT} "GET /f HTTP/1.1" 200 5 "203.0.113.9" "-" "${agent}"`],
])('a file with %s is refused, and the refusal says why', async (_name, line) => {
  const site = await freshSite()
  const text = `${line(PERSON)}\n${line(BOT)}\n`
  await expect(service.importText(site, text)).rejects.toThrow(
    /\(2 lines: the line does not show for certain which of its fields are request, status, host and user agent\)/,
  )
})

test('lines of uncertain layout are malformed, and neither counted as human nor stored', async () => {
  const site = await freshSite()
  const lines = [
    `${FRONT} "GET /a HTTP/1.1" 200 5 "-" "${BOT}"`,
    `${FRONT} "GET /b HTTP/1.1" 200 5 "${BOT}" "-"`,
    `${FRONT} "GET /c HTTP/1.1" 200 5 "-" "${PERSON}"`,
    '# a comment',
  ]
  const receipt = await service.importText(site, `${lines.join('\n')}\n`)
  expect(receipt).toMatchObject({ lines: 3, stored: 1, human: 1, malformed: 1 })
  expect(receipt.malformed_samples).toMatchObject([{ line_number: 2, reason: 'unknown_layout' }])
})

test('a file with only comments has no log line', async () => {
  await expect(service.importText(await freshSite(), '# one\n#Version: 1.0\n\n')).rejects.toThrow(/holds no log line/)
})
