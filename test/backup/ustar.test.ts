import { createReadStream, writeFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { readTar, TAR_END, tarHeader, tarPadding } from '#backup/ustar.ts'
import { makeTestFolder, removeTestFolder } from '../support/control.ts'

test('an archive that was read, whole or in part, is not kept open', async () => {
  const folder = makeTestFolder()
  onTestFinished(() => removeTestFolder(folder))
  const file = `${folder}/a.tar`
  const bytes = Buffer.from('content')
  writeFileSync(file, Buffer.concat([tarHeader({ name: 'a', size: 7 }, 0), bytes, tarPadding(7), TAR_END]))
  for (const stops_early of [false, true]) {
    const stream = createReadStream(file)
    for await (const entry of readTar(stream)) {
      if (stops_early) break
      for await (const part of entry.bytes) expect(part).toEqual(bytes)
    }
    expect(stream.destroyed).toBe(true)
  }
})
