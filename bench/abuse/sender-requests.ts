/** Generated bodies for the endpoints of senders: events of browsers and servers, and records of logs. */
import fc from 'fast-check'
import { junk } from '../../test/operations/from-schema.ts'
import { anyText } from '../../test/support/any-text.ts'
import { type Answer, type SentInput, sample } from './generated-requests.ts'
import { HONEST_SITE } from './installed.ts'
import { check, type Round } from './scenario.ts'
import type { Attacked } from './under-attack.ts'

/**
 * Valid and invalid bodies of senders. None is a pageview or of a crawler, because the honest client counts these. With
 * a key in force some of each must be accepted, or only refusals would be tried.
 */
export async function askAsSender(
  attacked: Attacked,
  round: Round,
  send: (asked: SentInput) => Promise<Answer>,
): Promise<number> {
  const { intake_token, public_key, server_key } = attacked.installed.secrets
  const event = fc.record(
    {
      v: fc.oneof(fc.constant(1), fc.jsonValue()),
      type: fc.oneof(fc.constantFrom('event', 'revenue'), junk),
      site: fc.oneof({ weight: 6, arbitrary: fc.constant(public_key) }, junk),
      url: fc.oneof(fc.constant(`https://${HONEST_SITE}/a`), fc.webUrl(), junk),
      id: fc.oneof(fc.uuid(), junk),
      name: junk,
      props: fc.jsonValue(),
      revenue: fc.jsonValue(),
      more: fc.jsonValue(),
    },
    { requiredKeys: [] },
  )
  const bodiesOf = (own: object) => {
    const valid = fc
      .record({ id: fc.uuid({ version: 4 }), name: fc.constantFrom('signup', 'contact') })
      .map((given) => ({ v: 1, type: 'event', ...own, ...given }))
    const some = fc.oneof(valid, event)
    return fc.oneof(
      { weight: 4, arbitrary: fc.oneof(some, fc.array(some, { maxLength: 25 })).map((value) => JSON.stringify(value)) },
      { weight: 1, arbitrary: fc.json() },
      { weight: 1, arbitrary: anyText({ maxLength: 200 }) },
    )
  }
  // Human agents only, because requests of crawlers would be counted.
  const line = fc.record(
    {
      timestamp: fc.oneof(
        fc.integer(),
        fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
        junk,
      ),
      path: junk,
      status: fc.oneof(fc.integer(), junk),
      user_agent: junk,
      id: junk,
    },
    { requiredKeys: [] },
  )
  const batches = fc.oneof(
    fc.array(line, { maxLength: 30 }).map((lines) => lines.map((each) => JSON.stringify(each)).join('\n')),
    anyText({ maxLength: 200 }),
  )
  const headers = fc.record({
    'content-type': fc.constantFrom(
      'application/json',
      'text/plain',
      'application/x-www-form-urlencoded',
      'text/html; charset=latin1',
    ),
    'content-encoding': fc.oneof({ weight: 6, arbitrary: fc.constant('identity') }, fc.constantFrom('gzip', 'br', 'x')),
    'user-agent': fc.constantFrom('Mozilla/5.0 Chrome/142.0.0.0', 'curl/8', ''),
  })
  const ofPage = { site: public_key, url: `https://${HONEST_SITE}/a` }
  const paths: [string, Record<string, string>, fc.Arbitrary<string>, 'accepts' | 'refuses'][] = [
    ['/collect', { origin: `https://${HONEST_SITE}` }, bodiesOf(ofPage), 'accepts'],
    ['/collect/server', { authorization: 'Bearer spoor_srv_unknown' }, bodiesOf({}), 'refuses'],
    ['/collect/server', { authorization: `Bearer ${server_key}` }, bodiesOf({}), 'accepts'],
    ['/intake/logs', { authorization: `Bearer ${intake_token}` }, batches, 'accepts'],
  ]
  for (const [path, own, arbitrary, expected] of paths) {
    round.says(path)
    let accepted = 0
    for (const [body, given] of sample(fc.tuple(arbitrary, headers), round)) {
      const { status, body: said, text } = await send({ method: 'POST', path, headers: { ...given, ...own }, body })
      if (status < 300) accepted++
      if (status >= 400 && status !== 422)
        check(typeof said.title === 'string' || typeof said.code === 'string', `${path} ${body}: ${status} ${text}`)
    }
    check(accepted > 0 === (expected === 'accepts'), `${path} ${expected}, and accepted ${accepted} requests`)
  }
  return paths.length
}
