import { Refusal } from '#refusal.ts'
import { asksForJson, reportFailure } from './errors.ts'
import { outliveReaders } from './host/process-host.ts'
import { runProgram } from './program.ts'

const args = process.argv.slice(2)

// The launcher was killed (kill -9) and can no longer pass signals on, so this process ends too.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
process.channel?.unref()
outliveReaders((error) => {
  const lost = new Refusal('not_readable', `the output of the command could not be written: ${error.message}`)
  process.exitCode = reportFailure(lost, asksForJson(args))
})

await runProgram(args)
