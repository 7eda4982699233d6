import { ClickHouseError } from '@clickhouse/client'
import { describe, expect, test } from 'vitest'
import { mayAskNext, serverError } from '#evidence/clickhouse/errors.ts'
import { isRowError } from '#evidence/errors.ts'

const said = (code: number, type: string) =>
  new ClickHouseError({ message: 'Words of the server', code: `${code}`, type })
const full = new ClickHouseError({
  message: 'Cannot write to file, errno: 28, strerror: No space left on device',
  code: '75',
  type: 'CANNOT_WRITE_TO_FILE_DESCRIPTOR',
})
const read_only = new ClickHouseError({
  message: 'Cannot open file, errno: 30, strerror: Read-only file system',
  code: '76',
  type: 'CANNOT_OPEN_FILE',
})
const broken = (code: string) => Object.assign(new Error(`connect ${code}`), { code })

describe('errors after which the next server is tried', () => {
  test.each([
    ['a connection that was never made', broken('ECONNREFUSED'), true, true],
    ['a connection that broke: the write may have arrived', broken('ECONNRESET'), true, false],
    [
      'a replica without its Keeper: other shards may have stored their rows',
      said(242, 'TABLE_IS_READ_ONLY'),
      true,
      false,
    ],
    ['a replica that lacks what the quorum has', said(289, 'REPLICA_IS_NOT_IN_QUORUM'), true, false],
    ['a quorum that was not had: the rows may be stored', said(319, 'UNKNOWN_STATUS_OF_INSERT'), true, false],
    ['a statement that took too long', said(159, 'TIMEOUT_EXCEEDED'), false, false],
    ['a statement that is wrong', said(62, 'SYNTAX_ERROR'), false, false],
  ])('%s', (_, error, read, write) => {
    expect([mayAskNext(error, 'read'), mayAskNext(error, 'write')]).toEqual([read, write])
  })
})

test.each([
  [said(159, 'TIMEOUT_EXCEEDED'), 'timeout', /shorter window/],
  [said(241, 'MEMORY_LIMIT_EXCEEDED'), 'memory', /memory/],
  [said(243, 'NOT_ENOUGH_SPACE'), 'disk_full', /nothing was stored/],
  [full, 'disk_full', /disk of the ClickHouse server http:\/\/db\/ is full\. Free/],
  [read_only, 'unavailable', /disk of the ClickHouse server http:\/\/db\/ is read-only/],
  [said(285, 'TOO_FEW_LIVE_REPLICAS'), 'unavailable', /http:\/\/db\/ cannot do this now: .*\(TOO_FEW_LIVE_REPLICAS\)/],
  [said(516, 'AUTHENTICATION_FAILED'), 'unavailable', /refuses the user/],
  [said(62, 'SYNTAX_ERROR'), 'bug', /\(SYNTAX_ERROR\)/],
  [broken('ECONNREFUSED'), 'unavailable', /No answer from the ClickHouse server http:\/\/db\//],
  [new Error('x'.repeat(5_000)), 'unavailable', /^.{1,500}$/],
])('%s is %s', (error, kind, message) => {
  const failure = serverError(error, 'http://db/')
  expect(failure).toMatchObject({ kind, message: expect.stringMatching(message), cause: error })
})

test('the error of a late write asks for all servers of the cluster, not for a shorter window', () => {
  const failure = serverError(said(159, 'TIMEOUT_EXCEEDED'), 'http://db/', 'write')
  expect(failure).toMatchObject({
    kind: 'timeout',
    message: expect.stringMatching(/every replica.*all servers of the cluster are up/),
  })
})

test.each([
  ['a number that a column does not take', said(72, 'CANNOT_PARSE_NUMBER'), true],
  ['an unknown element of an enum', said(691, 'UNKNOWN_ELEMENT_OF_ENUM'), true],
  ['a table that is missing', said(60, 'UNKNOWN_TABLE'), false],
  ['a host that is not found', said(198, 'DNS_ERROR'), false],
  ['a full disk', full, false],
  ['a connection that broke', broken('ECONNRESET'), false],
])('%s: whether the rows of an insert are at fault', (_, error, expected) => {
  expect(isRowError(serverError(error, 'http://db/', 'write'))).toBe(expected)
})
