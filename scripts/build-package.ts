/**
 * Builds what is published: `npm run package [FOLDER, default build]` compiles the command line and the service to
 * JavaScript in FOLDER/package, because Node runs no TypeScript below node_modules, and packs it with a software bill
 * of materials beside it.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { listLicences, lockedPackages } from './licences.ts'
import { PACKAGE_README, PUBLISHED_AS_IS } from './published-files.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const build_folder = resolve(process.argv[2] ?? join(root, 'build'))
const target = join(build_folder, 'package')

const COMPILED = ['src/**/*.ts', 'cli/**/*.ts']

/** Imports by relative path follow the new names; those by `#` do so by the `imports` of package.json. */
const RELATIVE_IMPORT = /(\bfrom |\bimport |\bimport\()(['"])(\.{1,2}\/[^'"]+)\.ts\2/g
/** The number of files that are started by their URL: three threads, and the command line itself. */
const STARTED_FILE = /((?:new URL\(['"])[./\w-]+)\.ts(?=['"])/g
const STARTED_FILES = 4

interface Lock {
  packages: Record<string, { dev?: boolean } & Record<string, unknown>>
}

function build(): void {
  rmSync(target, { recursive: true, force: true })
  const started = [...COMPILED, 'bin/spoor.mjs'].flatMap((pattern) => list(pattern)).map(compile)
  const found = started.reduce((sum, count) => sum + count, 0)
  if (found !== STARTED_FILES) throw new Error(`${found} files are started by URL; the build knows ${STARTED_FILES}.`)
  for (const path of PUBLISHED_AS_IS.flatMap(list)) copy(path)
  declareTypes()
  describePackage()
  cpSync(join(root, PACKAGE_README), join(target, 'README.md'))
  pack()
}

function list(pattern: string): string[] {
  const paths = globSync(pattern, { cwd: root, exclude: (name) => name.endsWith('.DS_Store') })
  if (paths.length === 0) throw new Error(`Nothing matches ${pattern}: run npm ci first, which builds the dashboard.`)
  return paths
}

/**
 * Returns how many files it starts by their URL. Types become blanks, so that positions in stack traces stay correct.
 */
function compile(path: string): number {
  const source = readFileSync(join(root, path), 'utf8')
  const code = path.endsWith('.ts') ? stripTypeScriptTypes(source).replaceAll(/[ \t]+$/gm, '') : source
  const named = code.replaceAll(RELATIVE_IMPORT, '$1$2$3.js$2')
  write(path.replace(/\.ts$/, '.js'), named.replaceAll(STARTED_FILE, '$1.js'))
  return named.match(STARTED_FILE)?.length ?? 0
}

function copy(path: string): void {
  if (path === join('bin', 'spoor.mjs')) return
  mkdirSync(dirname(join(target, path)), { recursive: true })
  cpSync(join(root, path), join(target, path))
}

function write(path: string, content: string): void {
  mkdirSync(dirname(join(target, path)), { recursive: true })
  writeFileSync(join(target, path), content)
}

/** Types of the two typed clients, for programs that import them. */
function declareTypes(): void {
  run('tsc', ['--project', 'tsconfig.package.json', '--outDir', target])
  for (const path of globSync('**/*.d.ts', { cwd: target })) {
    const declared = readFileSync(join(target, path), 'utf8')
    writeFileSync(join(target, path), declared.replaceAll(RELATIVE_IMPORT, '$1$2$3.js$2'))
  }
}

/** The published package.json, with the exact tree of its dependencies. */
function describePackage(): void {
  const { scripts, devDependencies, overrides, private: _, ...kept } = readJson('package.json')
  const described = {
    ...kept,
    imports: {
      '#*.ts': { types: './src/*.d.ts', default: './src/*.js' },
      '#*': './src/*',
    },
    exports: {
      './client': { types: './src/contract/client.d.ts', default: './src/contract/client.js' },
      './account-client': {
        types: './src/contract/account-api/client.d.ts',
        default: './src/contract/account-api/client.js',
      },
      './package.json': './package.json',
    },
    scripts: { postinstall: 'node bin/drop-headers.mjs' },
  }
  writeJson(join(target, 'package.json'), described)
  const lock = readJson('package-lock.json') as unknown as Lock
  const packages = Object.fromEntries(
    Object.entries(lock.packages).flatMap(([path, entry]) => {
      if (entry.dev === true) return []
      if (path !== '') return [[path, entry]]
      const { devDependencies: _dev, ...own } = entry
      return [[path, { ...own, hasInstallScript: true }]]
    }),
  )
  writeJson(join(target, 'npm-shrinkwrap.json'), { ...lock, packages })
}

const readJson = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8')) as Record<string, unknown>
const writeJson = (path: string, value: unknown) => writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`)

function pack(): void {
  const { version } = readJson('package.json') as { version: string }
  // Without this, npm lists every file.
  run('npm', ['pack', '--loglevel', 'error', '--pack-destination', build_folder, target])
  writeJson(join(build_folder, `spoor-${version}.cdx.json`), billOfMaterials())
  console.log(`spoor-${version}.tgz and its bill of materials spoor-${version}.cdx.json are in ${build_folder}`)
}

/**
 * The software bill of materials, as npm writes it (CycloneDX), with the packages in the built dashboard. npm reads the
 * tree of the package and not that of the clone: with `--omit dev` it would leave out what tools need, too, such as pg.
 */
function billOfMaterials(): Record<string, unknown> {
  const { metadata, ...bill } = JSON.parse(
    run('npm', ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'], target),
  )
  // npm names it by the folder.
  const component = { ...metadata.component, name: readJson('package.json').name }
  const carried = listLicences(lockedPackages()).filter(({ use }) => use === 'in the dashboard')
  const components = carried.map(({ name, version, licence }) => {
    const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
    const properties = [{ name: 'spoor:carriedBy', value: 'dashboard/dist' }]
    return {
      'bom-ref': purl,
      type: 'library',
      name,
      version,
      purl,
      licenses: [{ license: { id: licence } }],
      properties,
    }
  })
  return { ...bill, metadata: { ...metadata, component }, components: [...bill.components, ...components] }
}

function run(program: string, args: string[], cwd = root): string {
  const { status, stdout } = spawnSync(program, args, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (status === 0) return stdout
  process.stderr.write(stdout)
  throw new Error(`${program} ${args.join(' ')} ended with ${status}.`)
}

console.log('Compiling…')
build()
