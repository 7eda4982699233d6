/** What is published: compiled, complete and started from below node_modules, where Node runs no TypeScript. */
import { execFileSync, spawnSync } from 'node:child_process'
import { globSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { history } from '#demo/history.ts'
import { findFaults } from '../../scripts/check-references.ts'
import { workFolder } from '../support/cli.ts'
import { startClickHouseDouble } from '../support/clickhouse.ts'
import { createDatabase } from '../support/postgres.ts'
import { runProcess, serveProcess } from '../support/processes.ts'

const ROOT = new URL('../../', import.meta.url).pathname

/** The package as it is unpacked below node_modules, with those of its dependencies that are not left out. */
async function installPackage(left_out: RegExp | null) {
  const work = workFolder()
  const built = await runProcess([work.folder], { script: join(ROOT, 'scripts/build-package.ts') })
  expect(built, built.stderr).toMatchObject({ code: 0 })
  const modules = join(work.folder, 'app', 'node_modules')
  mkdirSync(modules, { recursive: true })
  const dependencies = join(ROOT, 'node_modules')
  for (const name of readdirSync(dependencies)) {
    if (name.startsWith('.') || left_out?.test(name)) continue
    symlinkSync(join(dependencies, name), join(modules, name))
  }
  const [packed = ''] = globSync('*.tgz', { cwd: work.folder })
  execFileSync('tar', ['-xzf', join(work.folder, packed), '-C', modules])
  const home = join(modules, 'package')
  return { ...work, home, script: join(home, 'bin', 'spoor.mjs') }
}

test('the package runs without the clone: command line, service, threads and typed clients', async () => {
  const { home, script, ...work } = await installPackage(null)
  expect(globSync('**/*.ts', { cwd: home }).filter((path) => !path.endsWith('.d.ts'))).toEqual([])
  const { packages } = JSON.parse(readFileSync(join(home, 'npm-shrinkwrap.json'), 'utf8'))
  expect(Object.keys(packages)).toContain('node_modules/chdb')
  expect(Object.keys(packages)).not.toContain('node_modules/vite')
  expect(readFileSync(join(home, 'docs/licences.md'), 'utf8')).toContain('fastify')
  // A message names it.
  expect(readFileSync(join(home, 'docs/operating/log-formats.md'), 'utf8')).toContain('nginx')
  expect(findFaults(home)).toEqual([])
  expect(readFileSync(join(home, 'dashboard/dist/licences.md'), 'utf8')).toContain('## react-dom')
  // The licence of the font must come with every copy of it.
  expect(readFileSync(join(home, 'dashboard/dist/licences.md'), 'utf8')).toMatch(
    /## @fontsource.*SIL OPEN FONT LICENSE/s,
  )
  const [bill = ''] = globSync('*.cdx.json', { cwd: work.folder })
  const { metadata, components } = JSON.parse(readFileSync(join(work.folder, bill), 'utf8'))
  expect(metadata.component).toMatchObject({ name: 'spoor', licenses: [{ license: { id: 'Apache-2.0' } }] })
  const listed = components.map(({ name, version }: { name: string; version: string }) => `${name} ${version}`)
  const installed = Object.entries(packages as Record<string, { version: string }>).flatMap(([path, { version }]) =>
    path === '' ? [] : [`${path.replace(/^.*node_modules\//, '')} ${version}`],
  )
  const names = components.map(({ name }: { name: string }) => name)
  // Also what tools need as well, such as pg.
  expect(listed).toEqual(expect.arrayContaining(installed))
  expect(names).toEqual(expect.arrayContaining(['pg', 'chdb', 'react-dom', '@fontsource-variable/inter']))
  expect(names).not.toContain('vite')

  const run = async (...args: string[]) => {
    const ended = await runProcess([...args, '--data', work.data, '--json'], { script })
    expect(ended, ended.stderr).toMatchObject({ code: 0 })
    return JSON.parse(ended.stdout)
  }
  const server = await serveProcess(work.data, [], { script })
  expect(await server.get('/readyz')).toMatchObject({ status: 200 })
  expect((await fetch(server.url, { headers: { accept: 'text/html' } })).status).toBe(200)
  await run('site', 'add', 'example.com')
  const log = work.file('access.log')
  writeFileSync(log, history().on('2026-03-07').crawler('gptbot').requests(3).humans().text())
  expect(await run('import', 'example.com', log)).toMatchObject({ stored: 3 })
  const robots = work.file('robots.txt')
  writeFileSync(robots, 'User-agent: GPTBot\nDisallow: /private\n')
  const decided = ['robots', 'test', robots, 'https://example.com/private', '--agent', 'GPTBot']
  expect(JSON.parse((await runProcess([...decided, '--json'], { script })).stdout)).toMatchObject({ line: 2 })

  const client = await import(pathToFileURL(join(home, 'src/contract/client.js')).href)
  const { secret } = await run('key', 'create', '--name', 'reading')
  const { sites } = await client.createClient({ base_url: server.url, key: secret }).listSites()
  expect(sites).toMatchObject([{ root_domain: 'example.com' }])
})

test('npm pack of the clone is refused, because Node runs no TypeScript below node_modules', () => {
  const { status, stderr } = spawnSync('npm', ['pack', '--dry-run'], { cwd: ROOT, encoding: 'utf8' })
  expect(status).not.toBe(0)
  expect(stderr).toContain('npm run package builds the package')
})

test('without the engine the package serves from ClickHouse servers, and says what an embedded store lacks', async () => {
  const { script, data, folder } = await installPackage(/^(chdb|@chdb|koffi|@koromix)$/)
  const refused = await runProcess(['serve', '--data', data, '--port', '0'], { script })
  expect(refused).toMatchObject({ code: 1, stdout: '' })
  expect(refused.stderr).toMatch(
    /embedded engine \(npm packages chdb and koffi\) cannot be loaded .*SPOOR_CLICKHOUSE_URL/,
  )

  const database = await createDatabase()
  const servers = join(folder, 'servers')
  mkdirSync(servers)
  const double = await startClickHouseDouble(servers)
  const env = { SPOOR_DATABASE_URL: database.url, SPOOR_CLICKHOUSE_URL: double.url, SPOOR_SECRET_KEY: '7'.repeat(64) }
  try {
    const server = await serveProcess(join(folder, 'node'), [], { script, env })
    expect(await server.get('/readyz')).toMatchObject({ status: 200 })
    const run = async (...args: string[]) => {
      const ended = await runProcess([...args, '--data', join(folder, 'node'), '--json'], { script, env })
      expect(ended, ended.stderr).toMatchObject({ code: 0 })
      return JSON.parse(ended.stdout)
    }
    await run('site', 'add', 'example.com')
    const log = join(folder, 'access.log')
    writeFileSync(log, history().on('2026-03-07').crawler('gptbot').requests(3).humans().text())
    expect(await run('import', 'example.com', log)).toMatchObject({ stored: 3 })
    server.process.kill('SIGTERM')
    await server.ended
  } finally {
    await double.close()
    await database.drop()
  }
})
