/** How a command reports a failure: text for people, one line of JSON with `--json` (docs/operating/scripts.md). */

import { basename } from 'node:path'
import { CommanderError } from 'commander'
import { machineAdvice } from '#machine/advice.ts'
import { withoutControlCharacters } from '#names.ts'
import { Refusal, type RefusalKind } from '#refusal.ts'
import { wordsOf } from '#surfaces/step-words.ts'
import { BadUsage } from './bad-usage.ts'
import { asTypedHere } from './host/program-name.ts'
import { note, noteJson } from './output.ts'

/** `bad_usage`: the command line itself; `failed`: a bug, here or in the server. */
export type ErrorKind = RefusalKind | 'bad_usage' | 'failed'

/** The last line of a report of bad usage. */
export const SEE_HELP = 'Run the command with --help to see what it takes, with examples.'

/** What ended a command, with its data folder; null if it had not searched for one. */
export class FailureInFolder extends Error {
  readonly data_folder: string | null
  constructor(cause: unknown, data_folder: string | null) {
    super(messageOf(cause), { cause })
    this.data_folder = data_folder
  }
}

/** Checked before anything is parsed, because bad usage is an error too. */
export function asksForJson(args: readonly string[]): boolean {
  const end = args.indexOf('--')
  return args.slice(0, end === -1 ? args.length : end).includes('--json')
}

/** Reports why the command ends and returns its exit code (decisions 1). */
export function reportFailure(failure: unknown, json: boolean): number {
  const { cause: error, data_folder: folder } =
    failure instanceof FailureInFolder ? failure : { cause: failure, data_folder: null }
  if (error instanceof CommanderError) {
    // Commander has already printed the text.
    if (error.exitCode !== 0 && json) noteError('bad_usage', usageOf(error))
    return error.exitCode === 0 ? 0 : 2
  }
  if (error instanceof BadUsage) {
    if (json) noteError('bad_usage', asTypedHere(error.message))
    else note(`spoor: ${withoutControlCharacters(error.message)}\n${SEE_HELP}`)
    return 2
  }
  const advice = error instanceof Refusal ? null : machineAdvice(error)
  const machine = advice === null ? null : wordsOf(advice)
  if (error instanceof Refusal) reportRefusal(error, json, { folder })
  else if (machine !== null && json) noteError('store_busy', machine)
  else if (machine !== null) note(`spoor: ${machine}`)
  else if (json) noteError('failed', messageOf(error))
  else note(`spoor: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
  return 1
}

/**
 * One refusal; `file` if the command continues with other files, `folder` if the data folder is known.
 */
export function reportRefusal(
  refusal: Refusal,
  json: boolean,
  { file, folder = null }: { file?: string; folder?: string | null } = {},
): void {
  const message = asTypedHere(wordsOf(refusal))
  const named = { ...(file === undefined ? {} : { file }), ...(folder === null ? {} : { data_folder: folder }) }
  if (json) {
    noteError(refusal.kind, message, named)
    return
  }
  // Most refusals name the file themselves.
  const is_named = file === undefined || message.includes(basename(file))
  const prefix = is_named ? 'spoor: ' : `spoor: ${file}: `
  // Most refusals are about the content of the folder: with the wrong folder, a site seems to be missing.
  const suffix = folder === null || message.includes(folder) ? '' : ` (data folder: ${folder})`
  note(withoutControlCharacters(`${prefix}${message}${suffix}`))
}

/** The message of a thrown value. */
export function messageOf(error: unknown): string {
  if (error instanceof Refusal) return wordsOf(error)
  return error instanceof Error ? error.message : String(error)
}

function noteError(kind: ErrorKind, message: string, named: { file?: string; data_folder?: string } = {}): void {
  noteJson({ error: { kind, message, ...named } })
}

function usageOf({ code, message }: CommanderError): string {
  return code === 'commander.help' ? 'a command is missing: --help lists them' : message.replace(/^error: /, '')
}
