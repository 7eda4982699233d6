/** Licences of everything that Spoor contains, from package-lock.json, and those that are not allowed. */
import { readFileSync } from 'node:fs'
import { compareText } from '#compare-text.ts'

/** Packages that are published or installed with it. */
const SHIPPED = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT', 'MIT-0']
/** The font's licence allows programs to carry it. */
const OF_FONTS = { 'OFL-1.1': ['@fontsource-variable/inter'] } as Record<string, string[]>
/** Tools, which are not shipped. */
const TOOLS = [...SHIPPED, 'BlueOak-1.0.0', 'MPL-2.0', 'Unlicense']

/** Development dependencies whose code, styles or fonts are in the built dashboard, with their dependencies. */
const IN_THE_DASHBOARD = [
  '@fontsource-variable/inter',
  '@tanstack/react-query',
  '@tanstack/react-router',
  'd3-sankey',
  'd3-scale',
  'd3-shape',
  'react',
  'react-aria-components',
  'react-dom',
  'tailwindcss',
]

/** Dependencies of those that are only needed for rendering on a server. */
const LEFT_OUT = ['isbot']

export interface LockedPackage {
  version?: string
  license?: string
  dev?: boolean
  dependencies?: Record<string, string>
}
export type LockedPackages = Record<string, LockedPackage>

export interface Licensed {
  name: string
  version: string
  licence: string
  use: 'installed' | 'in the dashboard' | 'tool'
}

export const lockedPackages = (): LockedPackages =>
  JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8')).packages

/** Every package of the lockfile, once per version, by name. */
export function listLicences(packages: LockedPackages): Licensed[] {
  const carried = withDependencies(packages, IN_THE_DASHBOARD)
  const roleOf = (path: string, dev: boolean | undefined) => {
    if (dev !== true) return 'installed'
    return carried.has(path) ? 'in the dashboard' : 'tool'
  }
  const all = Object.entries(packages).flatMap(([path, { version = '', license = 'none', dev }]): Licensed[] =>
    path === '' ? [] : [{ name: nameOf(path), version, licence: license, use: roleOf(path, dev) }],
  )
  const once = new Map(all.map((each) => [`${each.name} ${each.version} ${each.use}`, each]))
  return [...once.values()].sort((a, b) => compareText(a.name, b.name) || compareText(a.version, b.version))
}

/** Packages whose licence is not allowed for their use. Of `A OR B` one must be allowed, of `A AND B` both. */
export function refusedLicences(licensed: readonly Licensed[]): Licensed[] {
  return licensed.filter(({ name, licence, use }) => {
    const allows = (each: string) => (use === 'tool' ? TOOLS : SHIPPED).includes(each) || OF_FONTS[each]?.includes(name)
    const choices = licence.replaceAll(/[()]/g, '').split(' OR ')
    return !choices.some((choice) => choice.split(' AND ').every(allows))
  })
}

/** docs/licences.md */
export function licencesPage(licensed = listLicences(lockedPackages())): string {
  return `# Licences of what Spoor is made of

Generated from \`package-lock.json\` by \`npm run generate\`. \`npm run check\` refuses a package whose licence is not on the list of
\`scripts/licences.ts\`. Spoor itself is under the Apache License 2.0 (LICENSE).

## Installed with Spoor
Each package holds its own licence below \`node_modules\`. Packages for other platforms are listed too, but not installed.

${table(licensed, 'installed')}

## Carried by the dashboard
Their code, styles and fonts are part of \`dashboard/dist\`; \`dashboard/dist/licences.md\` has the texts of those with code or fonts.

${table(licensed, 'in the dashboard')}

## Tools
They build and test Spoor and are not shipped.

${table(licensed, 'tool')}
`
}

function table(licensed: readonly Licensed[], use: Licensed['use']): string {
  const by_licence = Map.groupBy(
    licensed.filter((each) => each.use === use),
    ({ licence }) => licence,
  )
  const rows = [...by_licence]
    .sort(([a], [b]) => compareText(a, b))
    .map(([licence, all]) => `| ${licence} | ${all.map(({ name, version }) => `${name} ${version}`).join(', ')} |`)
  return ['| licence | packages |', '| --- | --- |', ...rows].join('\n')
}

/** Paths of these packages and of all their dependencies, resolved as Node does. */
function withDependencies(packages: LockedPackages, names: readonly string[]): Set<string> {
  const found = new Set<string>()
  const add = (name: string, from: string) => {
    const path = resolvedPath(packages, name, from)
    if (path === null || found.has(path) || LEFT_OUT.includes(name)) return
    found.add(path)
    for (const needed of Object.keys(packages[path]?.dependencies ?? {})) add(needed, path)
  }
  for (const name of names) add(name, '')
  return found
}

function resolvedPath(packages: LockedPackages, name: string, from: string): string | null {
  const path = from === '' ? `node_modules/${name}` : `${from}/node_modules/${name}`
  if (packages[path] !== undefined) return path
  if (from === '') return null
  return resolvedPath(
    packages,
    name,
    from.includes('/node_modules/') ? from.replace(/\/node_modules\/(?!.*\/node_modules\/).*$/, '') : '',
  )
}

const nameOf = (path: string) => path.replace(/^.*node_modules\//, '')
