/**
 * Prometheus' own checker: asked where it is installed (Debian: apt-get install prometheus), required where the run
 * says so.
 */
import { spawnSync } from 'node:child_process'

/** Whether `promtool` is in PATH. With PROMTOOL=required a missing one fails instead of being skipped. */
export function hasPromtool(): boolean {
  const { error } = spawnSync('promtool', ['--version'])
  if (error === undefined) return true
  if (process.env.PROMTOOL === 'required')
    throw new Error('promtool is not in PATH; on Debian: apt-get install prometheus')
  return false
}

/** Exit code and everything that it says. */
export function promtool(args: readonly string[], input = ''): { status: number | null; said: string } {
  const { status, stdout, stderr } = spawnSync('promtool', args, { input, encoding: 'utf8' })
  return { status, said: `${stdout}${stderr}` }
}
