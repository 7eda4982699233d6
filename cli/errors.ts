/** How a command says that it failed: prose for people, one line of JSON with `--json` (docs/operating/scripts.md). */
import { CommanderError } from 'commander'
import { machineAdvice } from '#machine-advice.ts'
import { withoutSteering } from '#names.ts'
import { Refusal, type RefusalKind } from '#refusal.ts'
import { wordsOf } from '#surfaces/step-words.ts'
import { note } from './output.ts'

/** `bad_usage`: the command line itself; `failed`: a bug, here or in the server. */
export type ErrorKind = RefusalKind | 'bad_usage' | 'failed'

/** Asked before anything is parsed, because bad usage is an error too. */
export function asksForJson(args: readonly string[]): boolean {
  const end = args.indexOf('--')
  return args.slice(0, end === -1 ? args.length : end).includes('--json')
}

/** Reports why the command ends and returns its exit code (decisions 1). */
export function reportFailure(error: unknown, json: boolean): number {
  if (error instanceof CommanderError) {
    // As prose commander has printed it already.
    if (error.exitCode !== 0 && json) note(jsonError('bad_usage', usageOf(error)))
    return error.exitCode === 0 ? 0 : 2
  }
  const machine = error instanceof Refusal ? null : machineAdvice(error)
  if (error instanceof Refusal) reportRefusal(error, json)
  else if (machine !== null) note(json ? jsonError('store_busy', machine) : `spoor: ${machine}`)
  else if (json) note(jsonError('failed', messageOf(error)))
  else note(`spoor: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
  return 1
}

/** One refusal; `file` where a command of several files goes on with the next. */
export function reportRefusal(refusal: Refusal, json: boolean, file?: string): void {
  const message = wordsOf(refusal)
  if (json) note(jsonError(refusal.kind, message, file))
  else note(withoutSteering(file === undefined ? `spoor: ${message}` : `spoor: ${file}: ${message}`))
}

/** What was thrown, in a sentence. */
export function messageOf(error: unknown): string {
  if (error instanceof Refusal) return wordsOf(error)
  return error instanceof Error ? error.message : String(error)
}

function jsonError(kind: ErrorKind, message: string, file?: string): string {
  return JSON.stringify({ error: { kind, message, ...(file === undefined ? {} : { file }) } })
}

function usageOf({ code, message }: CommanderError): string {
  return code === 'commander.help' ? 'a command is missing: --help lists them' : message.replace(/^error: /, '')
}
