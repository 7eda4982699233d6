/** The lockfile must install on every platform and from any registry. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

interface Locked {
  resolved?: string
  integrity?: string
  dev?: boolean
  hasInstallScript?: boolean
  optionalDependencies?: Record<string, string>
}

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Record<string, Locked> }

test('the lockfile carries no address of a registry', () => {
  expect(Object.values(packages).filter((locked) => locked.resolved !== undefined)).toEqual([])
})

/**
 * Published for machines that the lockfile was not made on: npm keeps no checksum of what its registry does not hold.
 */
const WITHOUT_CHECKSUM = [
  'node_modules/@chdb/lib-darwin-arm64',
  'node_modules/@chdb/lib-darwin-x64',
  'node_modules/@chdb/lib-linux-arm64-gnu',
]

test('every package is pinned by its checksum, except the engine of three other platforms', () => {
  const unchecked = Object.entries(packages).filter(([path, { integrity }]) => path !== '' && integrity === undefined)
  expect(unchecked.map(([path]) => path)).toEqual(WITHOUT_CHECKSUM)
})

/**
 * The engine's runs nothing; the one of koffi takes the program that its own package brings, and compiles only where
 * there is none.
 */
const MAY_RUN_SCRIPTS = ['node_modules/chdb', 'node_modules/koffi']

/** Of prom-client; interfaces that do nothing where no SDK is installed, and none is. */
const OPENTELEMETRY_API = 'node_modules/@opentelemetry/api'

test('an installation for production runs no other script and sends no telemetry', () => {
  const installed = Object.entries(packages).filter(([path, { dev }]) => path !== '' && dev !== true)
  expect(installed.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => path)).toEqual(
    MAY_RUN_SCRIPTS,
  )
  const reporting = /scarf|telemetry|analytics|sentry|posthog/
  expect(installed.map(([path]) => path).filter((path) => reporting.test(path))).toEqual([OPENTELEMETRY_API])
})

test('the lockfile lists the packages of every platform, so that npm ci accepts it everywhere', () => {
  const listed = Object.keys(packages)
  const wanted = Object.values(packages).flatMap((locked) => Object.keys(locked.optionalDependencies ?? {}))
  expect(wanted.filter((name) => !listed.some((path) => path.endsWith(`node_modules/${name}`)))).toEqual([])
})

test('package.json pins every version exactly', () => {
  const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Record<string, Record<string, string>>
  const versions = ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap((kind) =>
    Object.entries(manifest[kind] ?? {}),
  )
  expect(versions.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([])
})
