import { expect, test } from 'vitest'
import { causeOfStatuses } from '#issues/texts/status-causes.ts'

const statuses = (...given: number[]) => given.map((status) => ({ status, by_edge: false }))

test.each([
  ['403 of any log', statuses(403), 'origin', 'http_status'],
  ['an action of the edge', [{ status: 503, by_edge: true }], 'edge', 'waf_or_challenge'],
  ['525 at the edge', statuses(525, 526), 'edge', 'tls'],
  ['525 in a log of the origin', statuses(525), 'origin', 'unknown'],
  ['530, whose code was not read', statuses(530), 'edge', 'unknown'],
  ['402 at the edge', statuses(402), 'edge', 'waf_or_challenge'],
  ['causes that differ', statuses(403, 503), 'origin', 'unknown'],
  ['a status without a certain cause', statuses(505), 'origin', 'unknown'],
] as const)('%s (rules 8.1)', (_name, observed, vantage, cause) => {
  expect(causeOfStatuses(observed, vantage)).toBe(cause)
})
