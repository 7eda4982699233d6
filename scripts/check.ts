/** The one list of checks. Runs all of them, tells which failed, and ends with the tests' summary. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const folder = mkdtempSync(join(tmpdir(), 'spoor-check-'))
const report = join(folder, 'tests.json')

const checks: readonly (readonly [name: string, command: string, ...args: string[]])[] = [
  ['format and lint', 'biome', 'ci', '.'],
  ['types', 'tsc'],
  ['dead code', 'knip'],
  ['generated files fresh', 'node', 'scripts/generate.ts', '--check'],
  ['OpenAPI document', 'redocly', 'lint', 'docs/api/site-api.json'],
  ['tests and architecture', 'vitest', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
]

const failed: string[] = []
for (const [name, command, ...args] of checks) {
  console.log(`\n== ${name}: ${command} ${args.join(' ')}`)
  // Run through npm, so the project's own programs come first in PATH.
  const { status } = spawnSync(command, args, { stdio: 'inherit' })
  if (status !== 0) failed.push(name)
}

console.log(failed.length === 0 ? '\nAll checks passed.' : `\nFailed: ${failed.join(', ')}`)
const ran = summary()
console.log(`${ran.passed} passed, ${ran.failed} failed, ${ran.skipped} skipped`)
rmSync(folder, { recursive: true })
if (failed.length > 0 || ran.passed + ran.failed === 0) process.exitCode = 1

function summary(): { passed: number; failed: number; skipped: number } {
  try {
    const tests = JSON.parse(readFileSync(report, 'utf8')) as Record<string, number>
    return {
      passed: Number(tests['numPassedTests']),
      failed: Number(tests['numFailedTests']),
      skipped: Number(tests['numPendingTests']),
    }
  } catch {
    return { passed: 0, failed: 0, skipped: 0 }
  }
}
