/** Rules of the house; a failure names the page that explains it. */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'

const WHY = 'see ARCHITECTURE.md, "What must always hold"'
const sources = globSync(['src/**/*.ts', 'cli/*.ts']).map((file) => ({ file, text: readFileSync(file, 'utf8') }))
const code = (text: string) => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '')

/** Which folder of src may import from which others, besides itself, `clock.ts` and `refusal.ts`. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  'clock.ts': [],
  'refusal.ts': [],
  'config.ts': [],
  'version.ts': [],
  'log.ts': ['version.ts'],
  health: ['config.ts', 'control', 'crawlers', 'evidence'],
  contract: [],
  control: ['contract'],
  evidence: ['contract'],
  paths: [],
  outgoing: ['config.ts', 'version.ts'],
  secrets: ['config.ts'],
  sites: ['accounts', 'contract', 'control'],
  accounts: ['contract', 'control'],
  sources: ['accounts', 'contract', 'control', 'crawlers', 'sites'],
  crawlers: ['contract', 'control', 'evidence', 'outgoing', 'paths', 'sites'],
  intake: ['contract', 'control', 'crawlers', 'evidence', 'outgoing', 'paths', 'secrets', 'sites', 'sources'],
  tracker: ['accounts', 'contract', 'control', 'crawlers', 'evidence', 'outgoing', 'paths', 'secrets', 'sites'],
  backup: ['control', 'crawlers', 'evidence', 'tracker'],
  demo: ['crawlers', 'tracker'],
  jobs: ['accounts', 'control', 'crawlers', 'evidence', 'intake', 'outgoing', 'sites', 'tracker'],
  surfaces: [
    'accounts',
    'backup',
    'config.ts',
    'contract',
    'crawlers',
    'health',
    'intake',
    'management-services.ts',
    'outgoing',
    'sites',
    'sources',
    'tracker',
    'version.ts',
  ],
  'restoring.ts': ['backup', 'control', 'evidence', 'installation.ts'],
  'main.ts': [
    'installation.ts',
    'accounts',
    'config.ts',
    'contract',
    'control',
    'crawlers',
    'evidence',
    'health',
    'intake',
    'jobs',
    'outgoing',
    'sites',
    'sources',
    'surfaces',
    'tracker',
  ],
  'implementation.ts': ['accounts', 'contract', 'sites'],
  'management-services.ts': ['control', 'crawlers', 'health', 'intake', 'outgoing', 'tracker'],
  'next-step.ts': [],
  'installation.ts': [
    'management-services.ts',
    'version.ts',
    'accounts',
    'backup',
    'config.ts',
    'contract',
    'control',
    'crawlers',
    'evidence',
    'health',
    'intake',
    'jobs',
    'outgoing',
    'secrets',
    'sites',
    'sources',
    'tracker',
  ],
}
const EVERYWHERE = ['clock.ts', 'implementation.ts', 'machine-advice.ts', 'names.ts', 'next-step.ts', 'refusal.ts']

function offenders(pattern: RegExp, allowed: readonly string[] = []): string[] {
  return sources.filter(({ file, text }) => !allowed.includes(file) && pattern.test(code(text))).map(({ file }) => file)
}

describe(`the house (${WHY})`, () => {
  test('there are sources to look at', () => {
    expect(sources.length).toBeGreaterThan(50)
  })

  test('the environment is read in config.ts only', () => {
    expect(offenders(/process\.env/, ['src/config.ts'])).toEqual([])
  })

  test('commands take streams, signals and exit code from their host', () => {
    const uses = offenders(/\bprocess\.|\bconsole\./, ['cli/main.ts', 'cli/process-host.ts'])
    expect(uses.filter((file) => file.startsWith('cli/'))).toEqual([])
  })

  test('the time is read in clock.ts only', () => {
    expect(offenders(/Date\.now\(\)|new Date\(\)/, ['src/clock.ts'])).toEqual([])
  })

  test('other servers are asked in one place', () => {
    const asks = /\bfetch\(|from 'node:(https|tls|dns|dns\/promises)'|request \} from 'node:http'/
    const doors = ['src/surfaces/operator/socket-client.ts', 'src/contract/client.ts']
    expect(offenders(asks, doors).filter((file) => !file.startsWith('src/outgoing/'))).toEqual([])
  })

  test('no statement asks the database for the time', () => {
    expect(
      offenders(/\b(now|today|yesterday|now64)\(\)\s*(AS|,|-|\+|<|>|=)/i, ['src/clock.ts']).filter((file) =>
        /sql/.test(file),
      ),
    ).toEqual([])
  })

  test('no count falls back to zero', () => {
    expect(offenders(/(\?\?|\|\|) 0\b|coalesce\([^)]*, *0\)/i)).toEqual([])
  })

  test('no file of the source has more than 300 lines', () => {
    expect(sources.filter(({ text }) => text.split('\n').length > 301).map(({ file }) => file)).toEqual([])
  })

  test('types are not switched off', () => {
    expect(
      sources
        .filter(({ text }) => /@ts-ignore|@ts-nocheck|biome-ignore/.test(text) || /\bas any\b|: any\b/.test(code(text)))
        .map(({ file }) => file),
    ).toEqual([])
  })

  test('every folder imports only what it may', () => {
    const wrong: string[] = []
    for (const { file, text } of sources) {
      const [root, from = ''] = file.split('/')
      // The command line lies above everything: it may import all of src, and nothing of src imports it.
      if (root === 'cli') continue
      const may = [...(MAY_IMPORT[from] ?? []), ...EVERYWHERE, from]
      for (const [, target] of text.matchAll(/from '#([^/']+)/g)) {
        if (!may.includes(target as string)) wrong.push(`${file} imports #${target}`)
      }
      for (const [, target] of text.matchAll(/from '((?:\.\.\/)+[^']*)'/g)) {
        const [root, folder = ''] = new URL(target as string, `file:///${file}`).pathname.split('/').slice(1)
        if (root !== 'src' || !may.includes(folder)) wrong.push(`${file} imports ${target}`)
      }
    }
    expect(wrong).toEqual([])
  })

  test('commands are named by surfaces only: the domain names a step (next-step.ts)', () => {
    const names =
      /\bspoor (account|authority|backup|connect|conversion|demo|doctor|funnel|gate|import|key (create|list|revoke)|member|page)\b/
    const more = /\bspoor (property|registry|restore|sender|serve|site|source|tracker|user)\b/
    // What the operator alone reads, before there is a surface.
    const own = ['src/config.ts', 'src/machine-advice.ts', 'src/restoring.ts']
    const found = [...offenders(names, own), ...offenders(more, own)]
    expect(found.filter((file) => !/^(src\/surfaces|cli)\//.test(file))).toEqual([])
  })

  test('operations are defined in the contract only', () => {
    const defined = offenders(/\b(defineOperation|defineSiteOperation)\(|\bType\.Object\(/)
    // The forms of a one-time link, which nobody calls by name.
    const own = ['src/surfaces/http/dashboard-api/password.ts']
    expect(defined.filter((file) => file.startsWith('src/surfaces/') && !own.includes(file))).toEqual([])
  })

  test('the contract imports nothing of ours and nothing of Node', () => {
    const contract = sources.filter(({ file }) => file.startsWith('src/contract/'))
    const foreign = contract.flatMap(({ file, text }) =>
      [...text.matchAll(/from '([^']+)'/g)]
        .map(([, target]) => target as string)
        .filter((target) => !/^(typebox|\.)/.test(target))
        .map((target) => `${file}: ${target}`),
    )
    expect(foreign).toEqual([])
  })

  test('nothing of the engine shows outside its adapter', () => {
    const outside = sources.filter(
      ({ file }) =>
        !file.startsWith('src/evidence/') && !['src/main.ts', 'src/installation.ts', 'src/restoring.ts'].includes(file),
    )
    expect(outside.filter(({ text }) => /chdb/i.test(code(text))).map(({ file }) => file)).toEqual([])
  })

  test('no folder has a name that says nothing', () => {
    const banned = /\/(lib|utils|helpers|services|common|shared|core|types)\//
    expect(sources.filter(({ file }) => banned.test(file)).map(({ file }) => file)).toEqual([])
  })
})

describe('tests (see CONTRIBUTING.md, "Where a test lies")', () => {
  /** Tests of more than one file, by what they are about. */
  const FOLDERS = ['scenarios', 'operations', 'pins', 'processes', 'oracles']
  /** Rules of the house, which have no source file. */
  const HOUSE = ['architecture', 'glossary', 'lockfile']
  /** Folders of code beside src; tests of the support of tests lie beside it. */
  const BESIDE_SRC = ['bench', 'bin', 'cli', 'scripts', 'tracker']

  /** What `a/b.test.ts` and `a/b.ASPECT.test.ts` are tests of: a file, or all of a folder. */
  function sourcesOf(file: string): string[] {
    const path = file.replace(/^test\//, '')
    const [name = ''] = (path.split('/').at(-1) as string).split('.')
    const source = join(dirname(path), name)
    const beside = BESIDE_SRC.includes(path.split('/')[0] as string) ? [`${source}.ts`, `${source}.mjs`] : []
    const support = path.startsWith('support/') ? [`test/${source}.ts`] : []
    return [`src/${source}.ts`, `src/${source}.sql.ts`, `src/${source}`, ...beside, ...support]
  }

  test('each lies at the path of its source, or in the folder of what it is about', () => {
    const files = globSync('test/**/*.test.ts')
    expect(files.length).toBeGreaterThan(100)
    const homeless = files.filter((file) => {
      const path = file.replace(/^test\//, '')
      if (FOLDERS.includes(path.split('/')[0] as string) || HOUSE.includes(path.replace(/\.test\.ts$/, '')))
        return false
      return !sourcesOf(file).some((source) => existsSync(source))
    })
    expect(homeless.map((file) => `${file} is a test of none of ${sourcesOf(file).join(', ')}`)).toEqual([])
  })
})
