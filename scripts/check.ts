/**
 * The one list of checks of the code itself, beside its tests (`npm test`). Runs all of them and names those that
 * failed.
 */
import { spawnSync } from 'node:child_process'

const HOUSE_TESTS = ['architecture', 'glossary', 'lockfile'].map((name) => `test/${name}.test.ts`)

const checks: readonly (readonly [name: string, command: string, ...args: string[]])[] = [
  ['format and lint', 'biome', 'ci', '.'],
  ['types', 'tsc'],
  ['types of the tracker script', 'tsc', '--project', 'tracker'],
  ['types of the dashboard', 'tsc', '--project', 'dashboard'],
  ['build of the dashboard', 'vite', 'build', '--config', 'dashboard/vite.config.ts', '--logLevel', 'warn'],
  ['size of the dashboard', 'node', 'scripts/check-dashboard-size.ts'],
  ['dead code', 'knip'],
  ['licences', 'node', 'scripts/check-licences.ts'],
  ['generated files fresh', 'node', 'scripts/generate.ts', '--check'],
  ['OpenAPI documents', 'redocly', 'lint', 'docs/api/site-api.json', 'docs/api/account-api.json'],
  ['references resolve', 'node', 'scripts/check-references.ts'],
  ['plain words and narrow comments', 'node', 'scripts/check-words.ts'],
  ['the project’s own rules', 'vitest', 'run', '--project', 'sqlite', ...HOUSE_TESTS],
]

/** Turns off telemetry and update checks. */
const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', DO_NOT_TRACK: '1' }

const failed: string[] = []
for (const [name, command, ...args] of checks) {
  console.log(`\n== ${name}: ${command} ${args.join(' ')}`)
  // Run through npm, so the project's own programs come first in PATH.
  const { status } = spawnSync(command, args, { stdio: 'inherit', env })
  if (status !== 0) failed.push(name)
}

console.log(failed.length === 0 ? '\nAll checks passed.' : `\nFailed: ${failed.join(', ')}`)
if (failed.length > 0) process.exitCode = 1
