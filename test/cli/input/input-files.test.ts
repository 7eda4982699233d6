import { spawnSync } from 'node:child_process'
import { chmodSync, truncateSync, writeFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { builtInDocument } from '#crawlers/registry/built-in.ts'
import { preparedFolder, run, workFolder } from '../../support/cli.ts'

const [first] = builtInDocument.entries
const twice = JSON.stringify({ ...builtInDocument, version: '2099-01-01.1', entries: [first, first] })

test('a registry is read from a file and from standard input', async () => {
  const { data, file } = await preparedFolder()
  writeFileSync(file('registry.json'), twice)
  const update = (name: string, options: object) => run(['registry', 'update', name, '--data', data], options)
  for (const ended of [await update(file('registry.json'), {}), await update('-', { input: twice })]) {
    expect(ended).toMatchObject({ code: 1, stderr: expect.stringMatching(/The crawler_id \S+ occurs twice/) })
  }
})

test.each([
  ['a file that is not there', 'none.json', /none\.json does not exist/],
  ['a folder', '', /is a folder/],
  ['a file of another kind and size', 'huge', /huge is longer than 8 MiB: check its name/],
])('%s is refused in one line', async (_what, name, words) => {
  const { data, file } = await preparedFolder()
  writeFileSync(file('huge'), '')
  truncateSync(file('huge'), 2 ** 31)
  for (const args of [['update'], ['lists', 'import', '--list', 'gptbot']]) {
    const ended = await run(['registry', ...args, file(name), '--data', data])
    expect(ended).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(words) })
    expect(ended.stderr.split('\n')).toHaveLength(2)
  }
})

test.each([
  ['a ZIP archive, as Search Console exports one', Buffer.from('PK\x03\x04\x14\0\0\0'), /is a ZIP archive: unpack it/],
  ['a file of gzip', gzipSync('[]'), /is compressed with gzip: unpack it first/],
  ['text in another encoding', Buffer.from('Zürich', 'latin1'), /is not UTF-8: convert it first/],
])('%s is refused with what to do', async (_what, bytes, words) => {
  const { data, file } = await preparedFolder()
  writeFileSync(file('rows.csv'), bytes)
  for (const group of ['answers', 'search-data']) {
    const ended = await run([group, 'import', file('rows.csv'), '--brand', 'Brotwerk', '--data', data])
    expect(ended).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(words) })
  }
})

/** Root may read everything. */
const asNobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

test('logs that this user may not read are refused with how to read them, by name and by pattern', () => {
  const { folder } = workFolder()
  chmodSync(folder, 0o000)
  const refused = `import { refusePattern } from './cli/input/input-files.ts'
  import { unreadableLog } from './cli/input/log-file.ts'
  console.log(unreadableLog('${folder}/a.log').message)
  console.log(refusePattern('${folder}/*.log').message)`
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', refused], {
    ...asNobody,
    encoding: 'utf8',
  })
  chmodSync(folder, 0o700)
  const advice =
    'Run the command as a user who may, or name - instead of the file and pipe it in, for example from sudo cat'
  expect(stdout).toBe(
    `${folder}/a.log may not be read by this user. ${advice}\nno file matches ${folder}/*.log: this user may not list ${folder}. ${advice}\n`,
  )
})
