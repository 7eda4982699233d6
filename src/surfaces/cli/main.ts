import { Refusal } from '#refusal.ts'
import { version } from '#version.ts'
import { asksForJson, tellFailure } from './errors.ts'
import { outliveReaders } from './output.ts'
import { buildProgram } from './program.ts'

const json = asksForJson(process.argv.slice(2))
const fail = (error: unknown) => {
  process.exitCode = tellFailure(error, json)
}

// The launcher went away without a word (kill -9): nobody is left to hand signals on, so this process ends too.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
process.channel?.unref()
outliveReaders((error) => {
  fail(new Refusal('not_readable', `what the command printed could not be written: ${error.message}`))
})

try {
  await buildProgram(version, { json }).parseAsync()
} catch (error) {
  fail(error)
}
