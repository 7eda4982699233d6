/** What the edge did to a request, as each vendor's log says it (rules 4). */
import { describe, expect, test } from 'vitest'
import { readAll, readOne } from './read-lines.ts'

const AGENT = 'Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)'
const AT = '2026-03-03T09:15:30.000Z'

const logpush = (given: object) => ({
  ClientRequestHost: 'www.example.com',
  ClientRequestMethod: 'GET',
  ClientRequestURI: '/a',
  EdgeStartTimestamp: AT,
  ClientRequestUserAgent: AGENT,
  EdgeResponseStatus: 403,
  ...given,
})
const vercel = (proxy: object) => ({
  id: '1',
  deploymentId: 'dpl_1',
  source: 'static',
  timestamp: Date.parse(AT),
  requestId: String(Math.random()),
  proxy: { timestamp: Date.parse(AT), method: 'GET', host: 'example.com', path: '/a', userAgent: [AGENT], ...proxy },
})
const akamai = (given: object) => ({
  reqTimeSec: String(Date.parse(AT) / 1000),
  reqHost: 'example.com',
  reqPath: 'a',
  reqMethod: 'GET',
  UA: encodeURIComponent(AGENT),
  statusCode: '403',
  ...given,
})
const google = (policy: object | null) => ({
  insertId: '1',
  timestamp: AT,
  jsonPayload: policy === null ? {} : { enforcedSecurityPolicy: policy },
  httpRequest: { requestMethod: 'GET', requestUrl: 'https://example.com/a', status: 403, userAgent: AGENT },
})
const fastly = (given: object) => ({
  timestamp: AT,
  host: 'example.com',
  url: '/a',
  request_method: 'GET',
  response_status: 403,
  request_user_agent: AGENT,
  ...given,
})
const balancer = (status: number, actions: string) =>
  `https 2026-03-03T09:15:30.000000Z app/front/1 192.0.2.7:5000 10.0.0.1:80 0.0 0.0 0.0 ${status} - 1 2 "GET https://example.com:443/a HTTP/1.1" "${AGENT}" ` +
  `ECDHE TLSv1.2 arn:aws:group "Root=1" "example.com" "arn:cert" 0 2026-03-03T09:15:30.000000Z "${actions}" "-" "-" "-" "-" "-" "-"`

const read = async (record: object | string) =>
  (await readOne(typeof record === 'string' ? record : JSON.stringify(record))).edge_action

describe('the action of the edge', () => {
  test.each([
    [{}, null],
    [{ SecurityAction: '' }, 'none'],
    [{ SecurityAction: 'unknown' }, 'none'],
    [{ SecurityAction: 'log' }, 'none'],
    [{ SecurityAction: 'block' }, 'block'],
    [{ SecurityAction: 'drop' }, 'block'],
    [{ SecurityAction: 'connectionClose' }, 'block'],
    [{ SecurityAction: 'jschallenge' }, 'challenge'],
    [{ SecurityAction: 'managed_challenge' }, 'challenge'],
    [{ SecurityAction: 'managedChallengeNonInteractiveSolved' }, 'none'],
    [{ SecurityAction: 'a word of next year' }, null],
    [{ SecurityActions: [] }, 'none'],
    [{ SecurityActions: ['log', 'managedChallenge'] }, 'challenge'],
    [{ SecurityAction: '', SecurityActions: ['skip', 'challenge', 'block'] }, 'block'],
  ])('Cloudflare Logpush %j is %s', async (given, action) => {
    expect(await read(logpush(given))).toBe(action)
  })

  test.each([
    [{}, null],
    [{ wafAction: 'deny' }, 'block'],
    [{ wafAction: 'challenge' }, 'challenge'],
    [{ wafAction: 'log' }, 'none'],
    [{ wafAction: 'bypass' }, 'none'],
    [{ wafAction: 'rate_limit' }, null],
  ])('Vercel %j is %s', async (proxy, action) => {
    expect(await read(vercel(proxy))).toBe(action)
  })

  test.each([
    [{}, null],
    [{ securityRules: '-' }, null],
    [{ securityRules: 'ULnR_28976|3900000:3900001:BOT-ANOMALY-HEADER|' }, 'none'],
    [{ securityRules: 'ULnR_28976%7C3900000%7C3910021' }, 'block'],
  ])('Akamai DataStream 2 %j is %s', async (given, action) => {
    expect(await read(akamai(given))).toBe(action)
  })

  test.each([
    [null, null],
    [{ outcome: 'ACCEPT', configuredAction: 'ALLOW' }, 'none'],
    [{ outcome: 'DENY', configuredAction: 'DENY' }, 'block'],
    [{ outcome: 'REDIRECT', configuredAction: 'GOOGLE_RECAPTCHA' }, 'challenge'],
    [{ outcome: 'REDIRECT', configuredAction: 'EXTERNAL_302' }, null],
  ])('Google Cloud Armor %j is %s', async (policy, action) => {
    expect(await read(google(policy))).toBe(action)
  })

  test.each([
    [{}, null],
    [{ waf_blocked: '1' }, 'block'],
    [{ waf_blocked: false }, 'none'],
    [{ edge_action: 'challenge' }, 'challenge'],
    [{ action: 'block' }, null],
  ])('the field names that a Fastly operator chose, %j, are %s', async (given, action) => {
    expect(await read(fastly(given))).toBe(action)
  })

  test.each([
    [200, 'forward', null],
    [200, 'waf,forward', 'none'],
    [403, 'waf', 'block'],
    [202, 'waf', 'challenge'],
    [503, 'waf-failed', null],
  ])('an AWS load balancer that answers %i after %s is %s', async (status, actions, action) => {
    expect(await read(balancer(status, actions))).toBe(action)
  })

  test('a line without one never keeps that of the previous line', async () => {
    const combined = `192.0.2.7 - - [03/Mar/2026:09:15:30 +0000] "GET /a HTTP/1.1" 200 5 "-" "${AGENT}"`
    const odd = `192.0.2.7 - - [03/Mar/2026:09:15:30 +0000] "GET /a HTTP/1.1" 200 5 "-" "${AGENT}" 0.1 "x"`
    const blocked = JSON.stringify(logpush({ SecurityAction: 'block' }))
    const lines = [blocked, combined, blocked, odd, blocked, JSON.stringify(fastly({})), '']
    expect((await readAll(lines.join('\n'))).map((line) => line.edge_action)).toEqual([
      ...['block', null, 'block', null, 'block', null],
    ])
  })
})
