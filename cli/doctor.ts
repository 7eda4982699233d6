import { resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Command } from 'commander'
import { type Config, unknownVariables } from '#config.ts'
import { DiskRefusal } from '#control/disk.ts'
import { type Finding, type FindingCode, finding } from '#health/findings.ts'
import { examineFolder } from '#health/folder.ts'
import { machineAdvice } from '#machine-advice.ts'
import { Refusal } from '#refusal.ts'
import { adviseFinding } from '#surfaces/finding-advice.ts'
import { wordsOf } from '#surfaces/step-words.ts'
import { commandHost } from './command-host.ts'
import { type CommonOptions, configOf, instantArgument, withCommonOptions } from './options.ts'
import { printJson, printLine } from './output.ts'
import { type Reach, reach } from './reach.ts'

/** A healthy server needs moments; its own checks give up after five seconds. */
const PATIENCE_MS = 10_000

interface DoctorOptions extends CommonOptions {
  clock?: number
}

export function addDoctorCommand(program: Command): void {
  withCommonOptions(
    program
      .command('doctor')
      .description('check configuration, stores, sources and clock; exit 1 when something fails')
      .option('--clock <instant>', 'the service clock, where no server runs', instantArgument),
  ).action(async (options: DoctorOptions) => {
    const findings = (await diagnose(options)).map(adviseFinding)
    const is_well = findings.every(({ level }) => level !== 'fail')
    if (options.json) printJson({ ok: is_well, findings })
    else for (const each of findings) printFinding(each)
    if (!is_well) commandHost().setExitCode(1)
    // A server that is silent would hold this command up for ever.
    if (findings.some(({ code }) => code === 'server_silent')) commandHost().exitNow()
  })
}

async function diagnose(options: DoctorOptions): Promise<Finding[]> {
  let config: Config
  try {
    config = configOf(options)
  } catch (error) {
    return [finding('configuration_refused', messageOf(error))]
  }
  const folder = await examineFolder(resolve(config.data))
  const known = [examineNames(), ...folder]
  if (!folder.some(({ code }) => code.startsWith('free_space'))) return known
  try {
    const way = await reach(config, options.clock)
    return [...known, ...(await examined(way))]
  } catch (error) {
    return [...known, finding(codeOfOpening(error), messageOf(error))]
  }
}

/** A conflict while opening is the one of a control store that was lost; a full disk is no other process. */
function codeOfOpening(error: unknown): FindingCode {
  if (error instanceof DiskRefusal) return 'stores_not_opened'
  const kind = error instanceof Refusal ? error.kind : null
  if (kind === 'conflict') return 'control_store_lost'
  return kind === 'store_busy' ? 'folder_busy' : 'stores_not_opened'
}

async function examined(way: Reach): Promise<Finding[]> {
  try {
    const silent = { findings: [finding('server_silent', 'The server did not answer within 10 s.')] }
    const { findings } = await Promise.race([way.run('doctor', {}), pause(PATIENCE_MS, silent, { ref: false })])
    return findings as Finding[]
  } catch (error) {
    // The watchdog was quicker than this command's patience.
    const ended = error instanceof Refusal && error.kind === 'reader_unavailable'
    return [finding(ended ? 'server_silent' : 'stores_not_opened', messageOf(error))]
  } finally {
    await way.close()
  }
}

function examineNames(): Finding {
  const unknown = unknownVariables(commandHost().environment)
  return unknown.length === 0
    ? finding('configuration', 'Every setting is within its bounds.')
    : finding('configuration_unknown', `Spoor has no such setting: ${unknown.join(', ')}.`)
}

function printFinding({ code, level, message, advice }: ReturnType<typeof adviseFinding>): void {
  printLine(`${level.padEnd(4)}  ${code}: ${message}`)
  if (advice !== '') printLine(`      ${advice}`)
}

const messageOf = (error: unknown) => {
  if (error instanceof Refusal) return wordsOf(error)
  return machineAdvice(error) ?? (error instanceof Error ? error.message : String(error))
}
