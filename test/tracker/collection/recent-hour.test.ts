/** The last hour as the collector saw it: what is wrong is reported while it is, and forgotten an hour later. */
import { expect, test } from 'vitest'
import { HOUR_MS, MINUTE_MS } from '#clock.ts'
import { openRecentHour } from '#tracker/collection/recent-hour.ts'
import { fakeClock } from '../../support/clock.ts'

const SITE = { site_id: 'a' }

test('sums sixty minutes, and is unknown before they have passed', () => {
  const clock = fakeClock('2026-03-10T12:00:00Z')
  const recent = openRecentHour(clock)
  recent.count({ ...SITE, outcome: 'accepted', reason: '', events: 5 })
  expect(recent.of('a')).toBeNull()
  clock.advance(30 * MINUTE_MS)
  recent.count({ ...SITE, outcome: 'accepted', reason: '', events: 3 })
  recent.count({ ...SITE, outcome: 'bot', reason: '', events: 100 })
  for (const events of [1, 2]) recent.count({ ...SITE, outcome: 'refused', reason: 'rate_limited', events })
  clock.advance(30 * MINUTE_MS)
  expect(recent.of('a')).toEqual({ accepted: 3, refused: { rate_limited: 3 }, hides_addresses: false })
  expect(recent.of('b')).toEqual({ accepted: 0, refused: {}, hides_addresses: false })
  clock.advance(HOUR_MS)
  expect(recent.of('a')).toEqual({ accepted: 0, refused: {}, hides_addresses: false })
})

test.each([
  ['twenty requests of three agents from one address', 20, 3, 1, true],
  ['of two addresses', 20, 3, 2, false],
  ['of one agent, who may be one person', 20, 1, 1, false],
  ['too few to warn', 19, 3, 1, false],
])('a proxy that hides its visitors: %s', (_name, requests, agents, networks, hides_addresses) => {
  const clock = fakeClock('2026-03-10T12:00:00Z')
  const recent = openRecentHour(clock)
  clock.advance(HOUR_MS)
  for (let at = 0; at < requests; at++) recent.noteClient('a', `network ${at % networks}`, `agent ${at % agents}`)
  expect(recent.of('a')).toMatchObject({ hides_addresses })
})
