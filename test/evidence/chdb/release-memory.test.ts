import { readFileSync, realpathSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { libchdbPath } from 'chdb/libchdb'
import Type from 'typebox'
import { expect, onTestFinished, test } from 'vitest'
import { codeRangesOfFile } from '#evidence/chdb/release-memory.ts'
import { openChdb } from '#evidence/chdb/store.ts'
import { count, rows, uint } from '#evidence/sql.ts'
import { makeTestFolder, removeTestFolder } from '../../support/control.ts'
import { copyStore } from '../../support/shared.ts'

const LIBRARY = '/srv/a folder/libchdb.so'
const MAPS = `7f0000000000-7f0009000000 r--p 00000000 fe:00 1234                       ${LIBRARY}
7f0009000000-7f0020000000 r-xp 0916d000 fe:00 1234                       ${LIBRARY}
7f0020000000-7f0020001000 r-xp 2016d000 fe:00 1234                       ${LIBRARY}
7f0021000000-7f0022000000 r--p 20f46000 fe:00 1234                       ${LIBRARY}
7f0022000000-7f0023000000 rw-p 21bc1000 fe:00 1234                       ${LIBRARY}
7f0023000000-7f0024000000 rwxp 21bc1000 fe:00 1234                       ${LIBRARY}
7f0024000000-7f0025000000 r-xs 0916d000 fe:00 1234                       ${LIBRARY}
7f0025000000-7f0026000000 r-xp 00000000 fe:00 1235                       /srv/other${LIBRARY}
7f0026000000-7f0027000000 r-xp 00000000 fe:00 1236                       ${LIBRARY} (deleted)
7f0027000000-7f0028000000 r-xp 00000000 00:00 0 
7fff00000000-7fff00001000 r-xp 00000000 00:00 0                          [vdso]
`

test('only private, read-only code of the same file is released', () => {
  expect(codeRangesOfFile(MAPS, LIBRARY)).toEqual([
    { from: 0x7f0009000000n, to: 0x7f0020000000n },
    { from: 0x7f0020000000n, to: 0x7f0020001000n },
  ])
  expect(codeRangesOfFile('', LIBRARY)).toEqual([])
})

const Sum = Type.Object({ sum: count(), kinds: count() })
const sumFrom = (first: number) => rows(Sum)`
  SELECT sum(cityHash64(number, toString(number)) % 1000) AS sum, uniqExact(number % 1009) AS kinds
  FROM (SELECT number + ${uint(first)} AS number FROM numbers(200000)) AS given
  WHERE match(toString(number), '[0-8]')`

test.skipIf(process.platform !== 'linux')(
  'statements that run in the meantime answer the same, and code is released from memory',
  async () => {
    const folder = makeTestFolder()
    onTestFinished(() => removeTestFolder(folder))
    await copyStore('evidence', folder)
    const store = await openChdb({ folder, memory_mb: 1_024 })
    try {
      const all = () => Promise.all(Array.from({ length: 12 }, (_, at) => store.all(sumFrom(1_000_000 * at))))
      const before = await all()
      const held = residentCode()
      store.releaseMemory()
      expect(residentCode()).toBeLessThan(held / 2)
      let is_over = false
      let times = 0
      const statements = all().finally(() => (is_over = true))
      while (!is_over) {
        store.releaseMemory()
        times += 1
        await setImmediate()
      }
      expect(await statements).toEqual(before)
      expect(times).toBeGreaterThan(1)
    } finally {
      await store.close()
    }
  },
)

/** KiB of the engine's code that are resident. */
function residentCode(): number {
  const library = realpathSync(libchdbPath())
  let is_code = false
  let sum = 0
  for (const line of readFileSync('/proc/self/smaps', 'utf8').split('\n')) {
    if (/^[0-9a-f]+-/.test(line)) is_code = line.includes(' r-xp ') && line.endsWith(library)
    else if (is_code) sum += Number(/^Rss: +(\d+) kB/.exec(line)?.[1] ?? 0)
  }
  return sum
}
