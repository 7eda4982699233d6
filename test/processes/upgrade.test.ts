/**
 * Data folders of every released version, opened by today's code: the same questions have the same answers. Fields may
 * be added to an answer, none may be lost or changed. `RECORD_RELEASE=0.2.0 npm exec -- vitest run --project slow
 * test/processes/upgrade.test.ts` stores the folder of a version that is about to be released (CONTRIBUTING.md).
 */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readConfig } from '#config.ts'
import { playSite } from '../../cli/commands/demo-site.ts'
import { runJson, serve, workFolder } from '../support/cli.ts'
import { askAll, packRelease, questionsOf, releases, unpackRelease } from '../support/release.ts'

const RECORDED = process.env.RECORD_RELEASE
const CLOCK = '2026-11-22T12:00:00Z'

test.runIf(RECORDED !== undefined)('records the folder of a release', { timeout: 300_000 }, async () => {
  const { data } = workFolder()
  const stores = { data, database_url: null, clickhouse: null, metrics: null, smtp: null, port: 0 }
  const seed = { now: Date.parse(CLOCK), days: 3, seed: 1 }
  await playSite({ ...readConfig({}), ...stores }, seed, new AbortController().signal)
  const at = ['--data', data]
  const { secret: key } = await runJson<{ secret: string }>(['key', 'create', '--name', 'upgrade', ...at])
  const { secret: token } = await runJson<{ secret: string }>([
    'token',
    'create',
    '--name',
    'upgrade',
    '--scope',
    'read',
    ...at,
  ])
  const server = await serve(data, ['--clock', CLOCK])
  const { body: sites } = await server.get('/v1/sites', key)
  const { body: brands } = await server.get('/api/v1/brands', token)
  const [site, brand] = [sites.sites, brands.brands ?? brands.data].map((all) => (all as { id: string }[])[0]?.id)
  const questions = questionsOf(site as string, brand as string)
  const answers = await askAll(server, { key, token }, questions)
  await server.stop()
  packRelease(RECORDED as string, data, { clock: CLOCK, key, token, answers })
})

test.each(releases())('the data folder of %s gives the answers that it gave', async (release) => {
  const { data } = workFolder()
  const { clock, answers, ...secrets } = unpackRelease(release, data)
  const server = await serve(data, ['--clock', clock])
  const paths = answers.map(({ path }) => path)
  const expected = withAnyPlatforms(answers)
  expect(await askAll(server, secrets, paths)).toMatchObject(expected)
  // Opened once more, it is as new.
  await server.stop()
  const again = await serve(data, ['--clock', clock])
  expect(await askAll(again, secrets, paths)).toMatchObject(expected)
  expect(await runJson(['doctor', '--data', data])).toMatchObject({ ok: true })
})

/** The list of AI platforms belongs to the running release and not to the data folder, so its version may be newer. */
const withAnyPlatforms = <T>(answers: T): T =>
  JSON.parse(JSON.stringify(answers), (name, value) => (name === 'ai_platforms_version' ? expect.any(String) : value))

test('every release of the changelog has its folder', () => {
  const changelog = readFileSync(new URL('../../CHANGELOG.md', import.meta.url), 'utf8')
  const released = [...changelog.matchAll(/^## (\d+\.\d+\.\d+) /gm)].map(([, version]) => version as string)
  expect(releases().sort()).toEqual(released.sort())
})
