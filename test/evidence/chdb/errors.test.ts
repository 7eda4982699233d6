import { expect, test } from 'vitest'
import { evidenceErrorOf } from '#evidence/chdb/errors.ts'

test.each([
  ['Code: 243. DB::Exception: Cannot reserve 1.00 MiB', 'disk_full', /almost full.*Free some space/],
  [
    'Code: 74. DB::Exception: Cannot write to file, errno: 28, strerror: No space left on device',
    'disk_full',
    /is full/,
  ],
  ['ENOSPC: no space left on device, write', 'disk_full', /is full.*Free some space/],
  ["EROFS: read-only file system, open '/data/incoming/0.native'", 'unavailable', /read-only.*start Spoor again/],
  ['Code: 47. DB::Exception: Unknown identifier', 'bug', /refused a statement/],
])('%s', (message, kind, words) => {
  const error = evidenceErrorOf(new Error(message))
  expect(error).toMatchObject({ kind, cause: expect.objectContaining({ message }) })
  expect(error.message).toMatch(words)
})
