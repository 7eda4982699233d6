/** Rules of the house; a failure names the page that explains it. */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'

const WHY = 'see ARCHITECTURE.md, "What must always hold"'
const sources = globSync(['src/**/*.ts', 'cli/**/*.ts']).map((file) => ({ file, text: readFileSync(file, 'utf8') }))
const code = (text: string) => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '')

/**
 * Which folder of src may import from which others, or from which parts of them, besides itself and what is open to
 * all.
 */
const MAY_IMPORT: Record<string, readonly string[]> = {
  'clock.ts': [],
  'refusal.ts': [],
  'config.ts': ['config'],
  config: [],
  'version.ts': [],
  'log.ts': ['version.ts'],
  days: [],
  derived: ['control', 'days', 'evidence'],
  retention: [
    'control',
    'crawlers/context.ts',
    'crawlers/coverage',
    'crawlers/roll-ups/month-roll-ups.ts',
    'days',
    'derived',
    'evidence',
    'tracker/context.ts',
    'tracker/coverage',
    'tracker/sessions',
  ],
  health: [
    'accounts/deprecated-uses.ts',
    'brands/engines',
    'config.ts',
    'control',
    'crawlers/identity/lists',
    'crawlers/registry',
    'days',
    'evidence',
    'inspections/marker.ts',
    'inspections/snippet-inspections.ts',
    'nodes/shared-clock.ts',
    'nodes/silent-nodes.ts',
    'retention/trusted-clock.ts',
    'tracker/context.ts',
    'tracker/coverage/tracker-signals.ts',
  ],
  contract: [],
  control: [],
  evidence: [],
  paths: [],
  robots: [],
  inspections: [
    'accounts',
    'contract',
    'control',
    'crawlers/context.ts',
    'crawlers/last-requests.ts',
    'crawlers/registry',
    'crawlers/served-hosts.ts',
    'days',
    'outgoing',
    'paths',
    'robots',
    'sites',
  ],
  outgoing: ['config.ts', 'version.ts'],
  secrets: ['config.ts'],
  sites: ['accounts', 'contract', 'control', 'evidence', 'version.ts'],
  // What people choose from in builders, of visitors and of crawlers.
  seen: ['contract', 'control', 'crawlers/coverage', 'crawlers/scope.sql.ts', 'evidence', 'tracker'],
  accounts: ['contract', 'control'],
  brands: [
    'accounts',
    'contract',
    'control',
    'crawlers/context.ts',
    'crawlers/page-evidence.ts',
    'days',
    'evidence',
    'issues/unit.ts',
    'outgoing',
    'paths',
    'secrets',
    'sites',
  ],
  // Sources are described with their coverage, and code that counts evidence names its source.
  sources: [
    'accounts',
    'brands',
    'contract',
    'control',
    'crawlers/authority',
    'crawlers/context.ts',
    'crawlers/coverage',
    'days',
    'sites',
  ],
  crawlers: [
    'contract',
    'control',
    'days',
    'derived',
    'evidence',
    'outgoing',
    'sites',
    'sources/describe-source.ts',
    'sources/fidelity.ts',
    'sources/find-source.ts',
  ],
  intake: [
    'contract',
    'control',
    'crawlers/authority',
    'crawlers/context.ts',
    'crawlers/coverage',
    'crawlers/identity',
    'crawlers/intake-memory.ts',
    'crawlers/registry',
    'days',
    'derived',
    'evidence',
    'outgoing',
    'paths',
    'retention/delete-expired.ts',
    'secrets',
    'sites',
    'sources/authenticate-token.ts',
    'sources/manage-sources.ts',
    'sources/new-source.ts',
    'sources/record-evidence.ts',
    'sources/retire-upload.ts',
    'sources/server-name.ts',
  ],
  issues: [
    'contract',
    'control',
    'crawlers',
    'days',
    'derived',
    'evidence',
    'inspections',
    'alerts/enqueue.ts',
    'alerts/issue-change.ts',
    // A mark names host and path as evidence keeps them.
    'paths/path-v1.ts',
    'sites/root-domain.ts',
  ],
  tracker: [
    'accounts',
    'contract',
    'control',
    'crawlers/context.ts',
    'crawlers/coverage',
    'crawlers/crawled-pages.ts',
    'crawlers/page-sums.ts',
    'crawlers/registry',
    'days',
    'derived',
    'evidence',
    'inspections/snippet-inspections.ts',
    'outgoing',
    'paths',
    'secrets',
    'sites',
  ],
  alerts: [
    'accounts/bearer-secret.ts',
    'accounts/email.ts',
    // How often an address is asked for consent.
    'accounts/sign-in-tries.ts',
    'config.ts',
    'config/smtp-url.ts',
    'contract',
    'control',
    'crawlers/coverage',
    'days',
    'outgoing',
    'secrets',
    'tracker/coverage/tracker-signals.ts',
  ],
  move: ['config.ts', 'control', 'evidence', 'nodes/open-servers.ts', 'secrets/key-check.ts', 'tracker/collection'],
  backup: ['control', 'crawlers/context.ts', 'days', 'derived', 'evidence', 'tracker/sessions'],
  // It plays its history with the same parts as the service.
  demo: ['alerts', 'brands', 'contract', 'crawlers', 'days', 'inspections', 'issues', 'outgoing', 'tracker/collection'],
  // Other nodes break off what a silent one wrote, and store what its spool holds.
  nodes: [
    'config.ts',
    'contract',
    'control',
    'days',
    'evidence',
    'intake/import',
    'secrets',
    'tracker/collection',
    'version.ts',
  ],
  jobs: [
    'accounts',
    'alerts',
    'brands/answers',
    'brands/fixes',
    'brands/scans',
    'brands/sentiment',
    'brands/search-data',
    'control',
    'crawlers',
    'derived',
    'evidence',
    'inspections',
    'intake',
    'issues',
    'nodes',
    'outgoing',
    'retention',
    'sites',
    'tracker',
  ],
  surfaces: [
    'accounts',
    'alerts',
    'backup',
    'brands',
    'config.ts',
    'contract',
    'crawlers',
    'days',
    'evidence/store.ts',
    'health',
    'inspections',
    'intake',
    'issues',
    'management-services.ts',
    'move',
    'nodes/manage-nodes.ts',
    'seen',
    'sites',
    'sources',
    'tracker',
    'version.ts',
  ],
  'main.ts': [
    'installation',
    'accounts',
    'alerts',
    'crawlers',
    'health',
    'intake',
    'jobs',
    'move/moving-service.ts',
    'outgoing',
    'sources',
    'surfaces',
    'tracker',
  ],
  'implementation.ts': ['accounts', 'brands', 'contract', 'sites'],
  'management-services.ts': [
    'alerts/mailer.ts',
    'brands/search-data/read-source.ts',
    'control',
    'crawlers',
    'health',
    'intake',
    'issues',
    'outgoing',
    'secrets',
    'tracker',
  ],
  'next-step.ts': [],
  installation: [
    'accounts',
    'alerts/deliver.ts',
    'alerts/mailer.ts',
    'backup',
    'brands/questions/keyed-batches.ts',
    'brands/scans/context.ts',
    'brands/search-data/read-source.ts',
    'config.ts',
    'control',
    'crawlers',
    'derived',
    'evidence',
    'health',
    'intake',
    'issues/changed-sites.ts',
    'issues/verify-fix.ts',
    'jobs',
    'management-services.ts',
    'move',
    'nodes',
    'outgoing',
    'secrets',
    'sites/find-site.ts',
    'sources',
    'tracker',
    'version.ts',
  ],
}
/** Collections of modules that begin empty, and what they hold; all others belong to what an installation opens. */
const MEMORIES: Record<string, string> = {
  'cli/input/input-files.ts': 'hosts whose standard input was read',
  'cli/host/program-name.ts': 'the data folder that was given to a command, by its host',
  'src/brands/mentions/fold.ts': 'foldings of single characters',
  'src/crawlers/identity/judge-claim.ts': 'lists of a registry version by platform',
  'src/crawlers/identity/proof-facts.ts': 'codes of URLs of lists',
  'src/evidence/chdb/open-session.ts': 'the one folder that the engine may have open in a process',
  'src/evidence/rows/row-schema.ts': 'readers of row schemas',
  'src/intake/batches/fields.ts': 'host names as they were written',
  'src/intake/batches/read.worker.ts': 'batches of a reading thread',
  'src/intake/log/json/operator-names.ts': 'names of fields as the last line had them',
  'src/robots/decide-thread.ts': 'idle threads of the process',
  'src/surfaces/http/dashboard-api/read-input.ts': 'bodies of requests under way',
  'src/surfaces/http/dashboard-api/uploads.ts': 'the usual timeout of a server',
  'src/surfaces/register-operations.ts': 'validators of schemas',
}
const EVERYWHERE = [
  'clock.ts',
  'compare-text.ts',
  'concurrency',
  'foreign-text.ts',
  'implementation.ts',
  'json-members.ts',
  'machine',
  'names.ts',
  'networks.ts',
  'next-step.ts',
  'quantities.ts',
  'refusal.ts',
]

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
    const uses = offenders(/\bprocess\.|\bconsole\./, ['cli/main.ts', 'cli/host/process-host.ts'])
    expect(uses.filter((file) => file.startsWith('cli/'))).toEqual([])
  })

  test('the time is read in clock.ts only', () => {
    expect(offenders(/Date\.now\(\)|new Date\(\)/, ['src/clock.ts'])).toEqual([])
  })

  test('requests to other servers are made in one place', () => {
    const asks = /\bfetch\(|from 'node:(https|tls|dns|dns\/promises)'|request \} from 'node:http'/
    const clients = ['src/surfaces/operator/socket-client.ts', 'src/contract/client.ts', 'cli/commands/mcp.ts']
    expect(offenders(asks, clients).filter((file) => !file.startsWith('src/outgoing/'))).toEqual([])
  })

  test('no statement asks the database for the time', () => {
    expect(
      offenders(/\b(now|today|yesterday|now64)\(\)\s*(AS|,|-|\+|<|>|=)/i, ['src/clock.ts']).filter((file) =>
        /sql/.test(file),
      ),
    ).toEqual([])
  })

  test('members of tuples are named in SQL, never counted', () => {
    const positional = /[\w)\]]\.\d+\b(?!\d*\.)|tupleElement\([^)]*, *\d/
    const statements = sources.filter(({ file }) => file.endsWith('.sql.ts'))
    expect(statements.length).toBeGreaterThan(10)
    expect(statements.filter(({ text }) => positional.test(code(text))).map(({ file }) => file)).toEqual([])
  })

  test('no count falls back to zero', () => {
    expect(offenders(/(\?\?|\|\|) 0\b|coalesce\([^)]*, *0\)/i)).toEqual([])
  })

  test('no file of the source has more than 300 lines', () => {
    expect(sources.filter(({ text }) => text.split('\n').length > 301).map(({ file }) => file)).toEqual([])
  })

  test('no literal is spread into another one: its members are written there', () => {
    expect(offenders(/\.\.\.\{/)).toEqual([])
  })

  test('types are not switched off', () => {
    expect(
      sources
        .filter(({ text }) => /@ts-ignore|@ts-nocheck|biome-ignore/.test(text) || /\bas any\b|: any\b/.test(code(text)))
        .map(({ file }) => file),
    ).toEqual([])
  })

  /** A path below src, or one that begins with `cli/`. */
  const belowSrc = (file: string) => file.replace(/^src\//, '')

  /** What a file imports of ours, as such paths. */
  const importsOf = ({ file, text }: (typeof sources)[number], kind = /from/): string[] =>
    [...text.matchAll(new RegExp(`${kind.source} '(#|(?:\\.\\.?/)+)([^']*)'`, 'g'))].map(([, start, path]) =>
      start === '#' ? (path as string) : belowSrc(join(dirname(file), `${start}${path}`)),
    )

  test('every folder imports only what it may', () => {
    const wrong: string[] = []
    for (const source of sources) {
      const [root, from = ''] = source.file.split('/')
      // The command line lies above everything and may import all of it.
      if (root === 'cli') continue
      const may = [...(MAY_IMPORT[from] ?? []), ...EVERYWHERE, from]
      for (const target of importsOf(source)) {
        if (!may.some((path) => target === path || target.startsWith(`${path}/`))) {
          wrong.push(`${source.file} imports ${target}`)
        }
      }
    }
    expect(wrong).toEqual([])
  })

  test('commands are named by surfaces only: the domain names a step (next-step.ts)', () => {
    const names =
      /\bspoor (account|authority|backup|connect|conversion|demo|doctor|funnel|gate|import|key (create|list|revoke)|member|page)\b/
    const more = /\bspoor (property|registry|restore|sender|serve|site|source|tracker|user)\b/
    // What the operator alone reads, before there is a surface.
    const own = ['src/config.ts', 'src/installation/restore-installation.ts']
    const found = [...offenders(names, own), ...offenders(more, own)]
    expect(found.filter((file) => !/^(src\/surfaces|cli)\//.test(file))).toEqual([])
  })

  test('operations are defined in the contract only', () => {
    const defined = offenders(/\b(defineOperation|defineSiteOperation)\(|\bType\.Object\(/)
    expect(defined.filter((file) => file.startsWith('src/surfaces/'))).toEqual([])
  })

  test('what a folder may import is imported', () => {
    const used = new Map<string, string[]>()
    for (const source of sources) {
      const from = source.file.split('/')[1] as string
      used.set(from, [...(used.get(from) ?? []), ...importsOf(source)])
    }
    const unused = Object.entries(MAY_IMPORT).flatMap(([from, paths]) =>
      paths
        .filter((path) => !used.get(from)?.some((target) => target === path || target.startsWith(`${path}/`)))
        .map((path) => `${from} does not import ${path}`),
    )
    expect(unused).toEqual([])
  })

  /** Types alone are gone when a file is loaded. */
  const VALUES = /(?:import|export) (?!type )[^;']*? from/

  test('no file needs itself to be loaded, over others', () => {
    const targets = new Map(sources.map((source) => [belowSrc(source.file), importsOf(source, VALUES)]))
    const done = new Set<string>()
    const circles: string[] = []
    const walk = (file: string, path: readonly string[]): void => {
      if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(' → '))
      if (path.includes(file) || done.has(file)) return
      for (const target of targets.get(file) ?? []) walk(target, [...path, file])
      done.add(file)
    }
    for (const file of targets.keys()) walk(file, [])
    expect(circles).toEqual([])
  })

  test('from the route of a funnel to its statement are at most four files', () => {
    const targets = new Map(sources.map((source) => [belowSrc(source.file), importsOf(source, VALUES)]))
    const distance = new Map([['tracker/funnels/funnels.sql.ts', 1]])
    for (let files = 2; files <= 4; files++) {
      const near = [...targets].filter(([file, to]) => !distance.has(file) && to.some((target) => distance.has(target)))
      for (const [file] of near) distance.set(file, files)
    }
    const routes = [...targets].filter(([, to]) => to.includes('tracker/funnels.ts')).map(([file]) => file)
    expect(routes.length).toBeGreaterThan(0)
    expect(routes.filter((file) => !distance.has(file))).toEqual([])
  })

  test('modules remember nothing but results of immutable values (ADR 28)', () => {
    const memory = /^(export )?(const|let) \w+(: [^=\n]+)? = new (Weak)?(Map|Set)(<[^\n]*>)?\(\)/m
    const found = sources.filter(({ text }) => memory.test(code(text))).map(({ file }) => file)
    expect(found.filter((file) => !(file in MEMORIES))).toEqual([])
    expect(Object.keys(MEMORIES).filter((file) => !found.includes(file))).toEqual([])
    const keyed = /new (Weak)?(Map|Set)<(\w*(Store|Control|Installation|Context)\b|ControlDb)/
    expect(offenders(keyed)).toEqual([])
  })

  test('no exported name is in two files', () => {
    const files = new Map<string, Set<string>>()
    const exported = /^export (?:declare )?(?:async )?(?:const|let|function\*?|class|interface|type|enum) (\w+)/gm
    for (const { file, text } of sources) {
      // Steps of the layout are called by their order, all in the same way.
      if (file.startsWith('src/control/migrations/')) continue
      for (const [, name] of text.matchAll(exported)) {
        files.set(name as string, (files.get(name as string) ?? new Set()).add(file))
      }
    }
    const twice = [...files].filter(([, of]) => of.size > 1)
    expect(twice.map(([name, of]) => `${name}: ${[...of].join(', ')}`)).toEqual([])
  })

  test('the two pillars meet in few places', () => {
    const lines = sources
      .filter(({ file }) => file.startsWith('src/tracker/'))
      .flatMap(({ text }) => text.match(/from '#crawlers\//g) ?? [])
    expect(lines.length).toBeLessThanOrEqual(8)
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
        !file.startsWith('src/evidence/') &&
        !['src/installation/open-evidence.ts', 'src/installation/restore-installation.ts'].includes(file),
    )
    expect(outside.filter(({ text }) => /chdb/i.test(code(text))).map(({ file }) => file)).toEqual([])
  })

  test('no folder has a name that says nothing', () => {
    const banned = /\/(lib|utils|helpers|services|common|shared|core|types)\//
    expect(sources.filter(({ file }) => banned.test(file)).map(({ file }) => file)).toEqual([])
  })
})

describe('tests (see CONTRIBUTING.md, "Where a test belongs")', () => {
  /** Tests of more than one file, by what they are about. */
  const FOLDERS = ['scenarios', 'operations', 'pins', 'processes', 'oracles', 'statements']
  /** Rules of the house, which have no source file. */
  const HOUSE = [
    'architecture',
    'dashboard/no-invented-zero',
    'dashboard/no-invented-zero.visitors-and-brand',
    'glossary',
    'lockfile',
  ]
  /** Folders of code beside src; tests of the support of tests lie beside it. */
  const BESIDE_SRC = ['bench', 'bin', 'cli', 'dashboard', 'scripts', 'tracker']

  /** What `a/b.test.ts` and `a/b.ASPECT.test.ts` are tests of: a file, or all of a folder. */
  function sourcesOf(file: string): string[] {
    const path = file.replace(/^test\//, '')
    const [name = ''] = (path.split('/').at(-1) as string).split('.')
    const source = join(dirname(path), name)
    const beside = BESIDE_SRC.includes(path.split('/')[0] as string)
      ? [`${source}.ts`, `${source}.tsx`, `${source}.mjs`, source]
      : []
    const support = path.startsWith('support/') ? [`test/${source}.ts`] : []
    return [`src/${source}.ts`, `src/${source}.sql.ts`, `src/${source}`, ...beside, ...support]
  }

  test('each is at the path of its source, or in the folder of its subject', () => {
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
