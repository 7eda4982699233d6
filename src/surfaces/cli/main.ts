import { CommanderError } from 'commander'
import { Refusal } from '#refusal.ts'
import { version } from '#version.ts'
import { note, outliveReaders } from './output.ts'
import { buildProgram } from './program.ts'

// The launcher went away without a word (kill -9): nobody is left to hand signals on, so this process ends too.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
process.channel?.unref()
outliveReaders()

try {
  await buildProgram(version).parseAsync()
} catch (error) {
  process.exitCode = failed(error)
}

function failed(error: unknown): number {
  // Commander has printed its own message already.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  if (error instanceof Refusal) note(`spoor: ${error.message}`)
  else note(`spoor: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
  return 1
}
