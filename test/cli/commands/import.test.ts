import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { history } from '#demo/history.ts'
import { openPrepared, preparedFolder, run, runJson, type Serving, serve, type Work } from '../../support/cli.ts'
import type { Ended } from '../../support/running.ts'

const day = (date: string) =>
  history()
    .on(date)
    .humans()
    .crawler('gptbot')
    .requests(3, { path: `/${date}` })

/** A folder with the site. */
async function withSite(): Promise<Work> {
  const work = await preparedFolder()
  await runJson(['site', 'add', 'example.com', '--data', work.data])
  return work
}

const importing = (work: Work, files: string[], input: string | Buffer = '', site = 'example.com') =>
  run(['import', '--site', site, '--data', work.data, '--json', ...files], { input })

function receiptOf(ended: Ended): Record<string, unknown> {
  expect(ended.stderr).not.toMatch(/\n {4}at /)
  return JSON.parse(ended.stdout)
}

/** What it says went wrong, one JSON object a line. */
function errorsOf({ stderr }: Ended): object[] {
  return stderr
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { error: object }).error)
}

describe.each(['server', 'folder'] as const)('spoor import through the %s (decisions 3.4)', (through) => {
  let work: Work
  let server: Serving | null = null
  beforeAll(async () => {
    work = await openPrepared()
    if (through === 'server') server = await serve(work.data, [], { outlives_test: true })
  })
  afterAll(async () => {
    await server?.stop()
    work.remove()
  })
  const addSite = (domain: string) => runJson(['site', 'add', domain, '--data', work.data])
  /** A folder for the logs of one test. */
  const logs = (name: string) => {
    mkdirSync(work.file(name))
    return (file: string) => work.file(join(name, file))
  }

  test('reads several files, quoted globs, gzip, zstd and standard input into one receipt', async () => {
    await addSite('several.example')
    const file = logs('several')
    writeFileSync(file('a.log'), day('2026-03-01').text())
    writeFileSync(file('b.log'), day('2026-03-02').text())
    writeFileSync(file('c.log.1.gz'), gzipSync(day('2026-03-03').text()))
    writeFileSync(file('d.log.zst'), zstdCompressSync(Buffer.from(day('2026-03-04').text())))
    writeFileSync(file('[odd] name.log'), day('2026-03-05').text())
    const named = [file('*.log'), file('c.log.*'), file('d.log.zst'), file('[odd] name.log'), '-']
    const ended = await importing(work, named, gzipSync(day('2026-03-06').text()), 'several.example')
    expect(ended.stderr).toBe('')
    // `*.log` holds the odd name too, so that file comes twice and changes nothing.
    expect(receiptOf(ended)).toMatchObject({
      files: 7,
      lines: 7 * 148,
      stored: 18,
      duplicates: 3,
      human: 7 * 145,
      malformed: 0,
      by_crawler: { gptbot: 18 },
      from: '2026-03-01T00:00:00.000Z',
      to: '2026-03-06T23:59:00.000Z',
    })
  })

  test('hosts outside the site are named, so that a forgotten one is seen', async () => {
    await addSite('named.example')
    const file = logs('named')
    const foreign = history().on('2026-03-01').humans({ host: 'shop.example.org' }).text()
    writeFileSync(file('a.log'), day('2026-03-01').text() + foreign)
    const { code, stdout } = await run(['import', 'named.example', file('a.log'), '--data', work.data])
    expect(code).toBe(0)
    const count = foreign.trimEnd().split('\n').length
    expect(stdout).toContain(
      `Hosts outside this site: shop.example.org ${count}. To count them, import the log under their sites too.`,
    )
  })

  test('one bad file among good ones: the good ones are in, the bad one is named, exit 1', async () => {
    await addSite('mixed.example')
    const file = logs('mixed')
    writeFileSync(file('a.log'), day('2026-03-01').text())
    writeFileSync(file('b.log'), randomBytes(300_000))
    writeFileSync(file('c.log'), day('2026-03-02').text())
    const named = ['a.log', 'b.log', 'c.log'].map(file)
    const ended = await importing(work, named, '', 'mixed.example')
    expect(ended.code).toBe(1)
    expect(receiptOf(ended)).toMatchObject({ files: 2, stored: 6 })
    expect(errorsOf(ended)).toEqual([
      {
        kind: 'not_readable',
        message: expect.stringContaining(`${file('b.log')} is a binary file`),
        file: file('b.log'),
      },
      {
        kind: 'not_readable',
        message: '1 of 3 files was not imported; the reasons are above',
        data_folder: work.data,
      },
    ])
    // As text each file is named once.
    const text = await run(['import', 'mixed.example', ...named, '--data', work.data])
    expect(text.stderr).toContain(`spoor: ${file('b.log')} is a binary file`)
  })

  test('empty files beside others, as rotation leaves them, are named, and the others are imported', async () => {
    await addSite('rotated.example')
    const file = logs('rotated')
    writeFileSync(file('access.log'), '')
    writeFileSync(file('access.log.1'), day('2026-03-01').text())
    writeFileSync(file('access.log.2.gz'), gzipSync(''))
    writeFileSync(file('iis.log'), '#Version: 1.0\n\n')
    const ended = await importing(work, [file('access.log*'), file('iis.log')], '', 'rotated.example')
    expect(ended.code).toBe(0)
    expect(receiptOf(ended)).toMatchObject({ files: 1, stored: 3 })
    const said = ended.stderr.trimEnd().split('\n')
    expect(said.map((line) => JSON.parse(line))).toEqual(
      [
        [file('access.log'), 'is empty'],
        [file('access.log.2.gz'), 'holds no log line'],
        [file('iis.log'), 'holds no log line'],
      ].map(([named, what]) => ({
        notice: { kind: 'empty_log', message: `${named} ${what}: there is nothing to import`, file: named },
      })),
    )
    const text = await run(['import', 'rotated.example', file('access.log*'), '--data', work.data])
    expect(text).toMatchObject({ code: 0, stdout: expect.stringMatching(/^ +3 {2}stored before$/m) })
    expect(text.stderr).toContain(`Note: ${file('access.log')} is empty: there is nothing to import\n`)
    const none = await importing(work, [file('access.log'), file('iis.log')], '', 'rotated.example')
    expect(none).toMatchObject({ code: 1, stdout: '' })
    expect(JSON.parse(none.stderr.trimEnd().split('\n').at(-1) as string)).toEqual({
      error: {
        kind: 'empty_log',
        message: 'none of 2 files contains a log line: nothing was imported',
        data_folder: work.data,
      },
    })
  })

  test('a name without a file is reported before anything is stored', async () => {
    await addSite('unread.example')
    const file = logs('unread')
    writeFileSync(file('a.log'), day('2026-03-01').text())
    const named = ['a.log', 'none-*.log', 'gone.log'].map(file)
    const ended = await importing(work, named, '', 'unread.example')
    expect(ended).toMatchObject({ code: 1, stdout: '' })
    const nothing = 'nothing was imported: 2 of 3 cannot be read; the reasons are above. Correct the names and repeat'
    expect(errorsOf(ended)).toEqual([
      {
        kind: 'not_readable',
        message: `no file matches ${file('none-*.log')}: check its name`,
        file: file('none-*.log'),
      },
      { kind: 'not_readable', message: `${file('gone.log')} does not exist: check its name`, file: file('gone.log') },
      { kind: 'not_readable', message: nothing, data_folder: work.data },
    ])
    const twice = await importing(work, ['websitec.com', file('a.log')], '', 'unread.example')
    expect(twice).toMatchObject({ code: 1, stdout: '' })
    expect(errorsOf(twice)).toMatchObject([
      { message: expect.stringMatching(/given twice: "websitec\.com" and "unread\.example"/) },
    ])
    expect(receiptOf(await importing(work, [file('a.log')], '', 'unread.example'))).toMatchObject({ stored: 3 })
  })

  test('input that is not a log of this site: a clear error, exit 1, nothing stored in part, and the service continues', async () => {
    const { id } = await addSite('example.com')
    const { data } = work
    const file = logs('refused')
    const good = day('2026-03-01').text()
    const cut = gzipSync(good.repeat(400), { level: 1 })
    writeFileSync(file('cut.gz'), cut.subarray(0, cut.length - 9))
    writeFileSync(file('torn.gz'), cut.subarray(0, cut.length / 2))
    writeFileSync(file('binary'), randomBytes(20_000_000))
    writeFileSync(file('empty'), '')
    writeFileSync(file('blank'), '\n\n\n')
    writeFileSync(file('empty.gz'), gzipSync(''))
    writeFileSync(file('common'), good.replace(/ "-" "[^"]*"$/gm, ''))
    writeFileSync(file('prose'), 'Lorem ipsum dolor\n'.repeat(50_000))
    writeFileSync(file('foreign'), history().on('2026-03-01').humans({ host: 'shop.example.org' }).text())
    mkdirSync(file('folder'))
    symlinkSync('loop', file('loop'))
    symlinkSync('vanished', file('dangling'))
    writeFileSync(file('good'), good)
    const cases: [string[], RegExp][] = [
      [[file('cut.gz')], /cut\.gz ends before its gzip stream does: it is truncated; copy the file again/],
      [[file('torn.gz')], /torn\.gz ends before its gzip stream does: it is truncated; copy the file again/],
      [[file('binary')], /binary is a binary file, not an access log; give the text log/],
      [['/dev/null'], /"\/dev\/null is empty: there is nothing to import/],
      [[''], /"the name of a file is empty/],
      [[file('empty')], /empty is empty: there is nothing to import/],
      [[file('blank')], /blank holds no log line: there is nothing to import/],
      [[file('empty.gz')], /empty\.gz holds no log line: there is nothing to import/],
      [[file('common')], /no line of \S+common can be read.*no user agent field.*nothing was stored/],
      [[file('prose')], /no line of \S+prose can be read as an access log.*nothing was stored/],
      [
        [file('foreign')],
        /no line of \S+foreign belongs to example\.com: its host is shop\.example\.org\. Import it under the site it belongs to \(where it is not there yet, npx spoor site add shop\.example\.org adds it\)/,
      ],
      [[file('folder')], /folder is a folder: name the files, for example '.*\/\*\.log'/],
      [[file('loop')], /loop cannot be read \(ELOOP.*check that it is a file this user may read/],
      [[file('dangling')], /dangling does not exist: check its name/],
      [[file('missing')], /missing does not exist: check its name/],
      [[file('good'), '--covers', '2026-03-01/2032-01-01'], /is not over by the service clock .*: give days up to/],
      [
        [file('good'), '--site', 'example.net'],
        /No site has the id or domain .*example\.net.*: npx spoor site list shows all of them, and npx spoor site add example\.net adds it\./,
      ],
      [[file('good'), '--host', 'example.org'], /--host example\.org does not belong to example\.com: import under/],
    ]
    // Opens and stats like any file, and fails to be read, for root too.
    if (process.platform === 'linux') cases.push([['/proc/self/mem'], /mem cannot be read \(EIO.*and repeat/])
    for (const [args, reason] of cases) {
      const ended = await importing(work, args)
      expect(ended, args.join(' ')).toMatchObject({ code: 1, stdout: '' })
      expect(ended.stderr).toMatch(reason)
      expect(errorsOf(ended)).toEqual([
        { kind: expect.any(String), message: expect.any(String), data_folder: work.data },
      ])
      if (server) expect(await server.get('/healthz')).toMatchObject({ status: 200 })
    }
    const { secret } = await runJson<{ secret: string }>(['key', 'create', '--name', 'a', '--data', data])
    const reading = server ?? (await serve(data))
    expect((await reading.get('/v1/sites/example.com/sources', secret)).body).toEqual({ sources: [] })
    expect((await reading.get('/v1/sites/example.com/performance?window=365d', secret)).body).toMatchObject({
      observed_request_count: null,
      meta: { coverage_state: 'unknown', gaps: [] },
    })
    expect(reading.stderr()).not.toMatch(/"level":"(error|fatal)"/)
    // The good file finds nothing of the refused ones, which hold the very same lines.
    expect(receiptOf(await importing(work, [file('good')]))).toMatchObject({ stored: 3, duplicates: 0 })
    const control = new DatabaseSync(`${data}/control.sqlite`, { readOnly: true })
    expect(control.prepare('SELECT state FROM deliveries WHERE site_id = ?').all(String(id))).toEqual([
      { state: 'finished' },
    ])
    control.close()
  })
})

describe('standard input', () => {
  test('is read once, and empty input is reported', async () => {
    const work = await withSite()
    const ended = await importing(work, ['-', '-'], day('2026-03-01').text())
    expect(ended.code).toBe(1)
    expect(receiptOf(ended)).toMatchObject({ files: 1, stored: 3 })
    expect(ended.stderr).toMatch(/standard input can be read only once/)
    const empty = await importing(work, ['-'])
    expect(empty).toMatchObject({ code: 1, stdout: '' })
    expect(errorsOf(empty)).toMatchObject([{ message: 'standard input is empty: there is nothing to import' }])
  })
})

describe('the format', () => {
  test('may be given as auto, and as nothing else (decisions 1)', async () => {
    const work = await withSite()
    writeFileSync(work.file('a.log'), day('2026-03-01').text())
    const importAs = (format: string) =>
      run(['import', work.file('a.log'), '--site', 'example.com', '--format', format, '--data', work.data, '--json'])
    expect(receiptOf(await importAs('auto'))).toMatchObject({ stored: 3 })
    expect(await importAs('combined')).toMatchObject({ code: 2, stderr: expect.stringContaining('auto') })
  })
})

describe('the receipt as text', () => {
  test('shows classes that add up to the lines, what was stored, and unreadable lines without personal data', async () => {
    const work = await withSite()
    const bad = '203.0.113.9 - - [07/Mar/2026:10:00:00 +0000] "GET /private?token=secret HTTP/1.1" 200 5\n'
    writeFileSync(work.file('a.log'), day('2026-03-01').text() + bad)
    const { stdout, stderr } = await run(['import', work.file('a.log'), '--site', 'example.com', '--data', work.data])
    const count = (words: string) => Number(new RegExp(`^ *([\\d,]+) {2}${words}`, 'm').exec(stdout)?.[1])
    const classes = ['stored \\(', 'stored before', 'human', 'of hosts', 'ignored', 'unreadable'].map(count)
    expect(classes).toEqual([3, 0, 145, 0, 0, 1])
    expect(count('lines, of which')).toBe(149)
    expect(stdout).toMatch(/from 2026-03-01T00:00:00\.000Z to 2026-03-01T23:59:00\.000Z\n/)
    expect(stdout).toMatch(/Crawlers:\n +3 {2}gptbot\n/)
    expect(stdout).toMatch(/Unreadable: line 149, no_user_agent: \[address\] - - \[07\/Mar\/2026:10:00:00 \+0000\] /)
    expect(stdout).not.toMatch(/secret|203\.0\.113/)
    expect(stderr).toMatch(/^Note: crawler lines without a host: 3\. .*\n$/)
    expect(readFileSync(work.file('a.log'), 'utf8')).toContain('secret')
  })
  test('shows five unreadable lines and says how many more there are', async () => {
    const work = await withSite()
    writeFileSync(work.file('a.log'), day('2026-03-01').text() + 'not a line of a log\n'.repeat(7))
    const { stdout } = await run(['import', 'example.com', work.file('a.log'), '--data', work.data])
    expect(stdout.match(/^Unreadable: line /gm)).toHaveLength(5)
    expect(stdout).toMatch(/^Unreadable: 2 more$/m)
  })
  test('shows names of files without control characters', async () => {
    const work = await withSite()
    const bad = 'not a line of a log\n'
    for (const name of ['a', 'b\u001b[31m']) writeFileSync(work.file(name), day('2026-03-01').text() + bad)
    const files = [work.file('a'), work.file('b\u001b[31m'), work.file('c\u001b]0;d\u0007')]
    const importAll = (given: string[]) => run(['import', ...given, '--site', 'example.com', '--data', work.data])
    const { stderr } = await importAll(files)
    const { stdout } = await importAll(files.slice(0, 2))
    expect(stdout).toMatch(/Unreadable: .*b\ufffd\[31m, line \d+, not_an_access_log_line/)
    expect(stderr).toMatch(/^spoor: .*c\ufffd\]0;d\ufffd does not exist: check its name$/m)
    for (const steering of ['\u0007', '\u001b']) expect(stdout + stderr).not.toContain(steering)
  })
  test('states the host of a log without hosts, and that a stored line keeps its host', async () => {
    const work = await withSite()
    await serve(work.data)
    const line = (path: string, end: string) =>
      `192.0.2.1 - - [07/Mar/2026:10:00:00 +0000] "GET ${path} HTTP/1.1" 200 5 "-" "GPTBot/1.2"${end}\n`
    writeFileSync(work.file('bare.log'), line('/a', '') + line('/b', ''))
    writeFileSync(work.file('more.log'), line('/c', ''))
    writeFileSync(work.file('reported.log'), `www.example.com:443 ${line('/d', '')}`)
    const reported = async (...args: string[]) =>
      (await run(['import', '--site', 'example.com', '--data', work.data, ...args])).stderr
    expect(await reported(work.file('reported.log'))).not.toContain('without a host')
    expect(await reported(work.file('bare.log'))).toMatch(
      /without a host: 2\. They count for the root domain itself.*--host/,
    )
    expect(await reported(work.file('bare.log'), '--host', 'www.example.com')).toMatch(
      /without a host: 2\. Lines that were stored before keep their host/,
    )
    expect(await reported(work.file('more.log'), '--host', 'www.example.com')).not.toContain('without a host')
  })
})
