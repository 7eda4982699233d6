/** Data folders as released versions left them, packed in test/releases, and what those versions answered from them. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import type { Asking } from './running.ts'

const FOLDER = new URL('../releases/', import.meta.url)
/** What git and readers bear for each release. */
const MAX_BYTES = 200 * 1024

/** What a version answered. */
export interface Recorded {
  /** The instant that the service showed, as `--clock` takes it. */
  clock: string
  /** Secrets made for these questions: of a key for reading and of an account token. */
  key: string
  token: string
  answers: { path: string; body: unknown }[]
}

const PACKED = '.tar.br'
const INSTANT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/
const ANSWERS = 'answers.json'

export const releases = (): string[] =>
  readdirSync(FOLDER).flatMap((name) => (name.endsWith(PACKED) ? [name.slice(0, -PACKED.length)] : []))

/** Puts the data folder of a release into `data`, and gives what was recorded of it. */
export function unpackRelease(release: string, data: string): Recorded {
  const packed = readFileSync(new URL(`${release}${PACKED}`, FOLDER))
  mkdirSync(data, { mode: 0o700 })
  execFileSync('tar', ['-x', '-C', data], { input: brotliDecompressSync(packed) })
  const answers = join(data, ANSWERS)
  const recorded = JSON.parse(readFileSync(answers, 'utf8'))
  rmSync(answers)
  return recorded
}

/** Stores the data folder of the version that is released now, and its answers. */
export function packRelease(release: string, data: string, recorded: Recorded): void {
  // Instants from the moment of asking on say when it was asked.
  const isKept = (_key: string, value: unknown) =>
    typeof value === 'string' && INSTANT.test(value) && value >= recorded.clock.slice(0, -1) ? undefined : value
  writeFileSync(
    join(data, ANSWERS),
    JSON.stringify({ ...recorded, answers: JSON.parse(JSON.stringify(recorded.answers, isKept)) }),
  )
  const owner = ['--owner=0', '--group=0', '--numeric-owner', '--sort=name', '--exclude=./lock']
  const tar = execFileSync('tar', ['-c', ...owner, '-C', data, '.'], { maxBuffer: 1 << 30 })
  const packed = brotliCompressSync(tar, {
    params: { [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS },
  })
  if (packed.length > MAX_BYTES) throw new Error(`The folder takes ${packed.length} bytes; keep it below ${MAX_BYTES}.`)
  writeFileSync(new URL(`${release}${PACKED}`, FOLDER), packed)
}

/** Answers of a service to each of these paths; the account API is asked with the token, the site API with the key. */
export async function askAll(
  server: Asking,
  { key, token }: Pick<Recorded, 'key' | 'token'>,
  paths: readonly string[],
) {
  const answers: Recorded['answers'] = []
  for (const path of paths) {
    const { status, body } = await server.get(path, path.startsWith('/api/') ? token : key)
    if (status !== 200) throw new Error(`${path} is answered ${status}: ${JSON.stringify(body)}`)
    answers.push({ path, body })
  }
  return answers
}

/** Everything that reads without an id of something else than site and brand. */
export function questionsOf(site: string, brand: string): string[] {
  const of_site = [
    ...['crawlers', 'top-pages', 'performance', 'unregistered-agents', 'crawlers/gptbot'].map(
      (path) => `${path}?window=7d`,
    ),
    ...['overview', 'analytics-sources', 'pages', 'conversions', 'funnels', 'journeys', 'revenue', 'events'].map(
      (path) => `${path}?window=7d`,
    ),
    ...['issues', 'sources'],
  ]
  const of_brand = [
    'report',
    'urls',
    'questions',
    'answers',
    'fixes',
    'visibility',
    'sentiment',
    'mentions',
    'citations',
  ]
  return [
    '/v1/sites',
    ...of_site.map((path) => `/v1/sites/${site}/${path}`),
    '/api/v1/brands',
    ...of_brand.map((path) => `/api/v1/brands/${brand}/${path}`),
  ]
}
