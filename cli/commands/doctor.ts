import { setTimeout as pause } from 'node:timers/promises'
import { type Config, unknownVariables } from '#config.ts'
import type { ManagementOutput } from '#contract/management-api/index.ts'
import { DiskRefusal } from '#control/disk.ts'
import { nameOfServer } from '#control/postgres-errors.ts'
import { type FindingCode, finding } from '#health/findings.ts'
import { checkFolder } from '#health/folder.ts'
import { LostControl, MissingInstallation, OutdatedStores, StoresApart } from '#installation/missing-installation.ts'
import { machineAdvice } from '#machine/advice.ts'
import { MovedRefusal } from '#move/move-state.ts'
import { withoutStep } from '#next-step.ts'
import { Refusal } from '#refusal.ts'
import { adviseFinding } from '#surfaces/finding-advice.ts'
import { type CommandContext, procedure } from '../command.ts'
import { messageOf } from '../errors.ts'
import { type FolderClient, openClient } from '../folder/client.ts'
import { commandHost } from '../host/command-host.ts'
import { asTypedHere } from '../host/program-name.ts'
import { readInstant } from '../input/argument-values.ts'
import { flag, optional } from '../input/parameters.ts'
import { printJson, printLine } from '../output.ts'

type Finding = ManagementOutput<'doctor'>['findings'][number]

const advised = (code: FindingCode, message: string) => adviseFinding(finding(code, message))

/** A healthy server answers at once; its own checks time out after five seconds. */
const MAX_SILENCE_MS = 10_000

export const doctorCommand = procedure(
  'doctor',
  'check configuration, stores, sources and clock; exit 1 when something fails',
  {
    clock: optional('--clock <instant>', 'the service clock, where no server runs', readInstant),
    cluster: flag('--cluster', 'verify the ClickHouse servers instead, with a test table; takes a minute'),
  },
  async ({ clock, cluster }, context) => {
    const findings = cluster ? await verifyServers(context.config()) : await diagnose(context, clock)
    const ok = findings.every(({ level }) => level !== 'fail')
    if (context.json) printJson({ ok, findings })
    else for (const each of findings) printFinding(each)
    if (!ok) commandHost().setExitCode(1)
    // A server that does not answer would block this command for ever.
    if (findings.some(({ code }) => code === 'server_silent')) commandHost().exitNow()
  },
)

/** @throws Refusal invalid_input if the evidence is not on servers. */
async function verifyServers({ clickhouse }: Config): Promise<Finding[]> {
  if (clickhouse === null) {
    const why = '--cluster verifies ClickHouse servers, but SPOOR_CLICKHOUSE_URL names none: set it as for the service'
    throw new Refusal('invalid_input', why)
  }
  // Loaded only here, because most installations have no servers.
  const { checkCluster } = await import('#health/cluster.ts')
  return (await checkCluster(clickhouse.urls, clickhouse.cluster)).map(adviseFinding)
}

async function diagnose({ config, locate }: CommandContext, clock_at: number | undefined): Promise<Finding[]> {
  const names = checkNames()
  let located: Config
  try {
    config()
  } catch (error) {
    const refused = advised('configuration_refused', reasonOf(error))
    return names.level === 'ok' ? [refused] : [names, refused]
  }
  try {
    located = await locate()
  } catch (error) {
    return [names, advised('data_folder_missing', reasonOf(error)), ...(await checkDatabase(config()))]
  }
  const folder = (await checkFolder(located.data)).map(adviseFinding)
  const known = [names, ...folder]
  if (folder.some(({ code }) => code === 'data_folder_missing')) return [...known, ...(await checkDatabase(located))]
  if (!folder.some(({ code }) => code.startsWith('free_space'))) return known
  try {
    return [...known, ...(await checked(await openClient(located, clock_at, 'nothing')))]
  } catch (error) {
    return [...known, advised(codeOfOpening(error), reasonOf(error))]
  }
}

/** The findings about a control store in a database, if the data folder is missing. */
async function checkDatabase(config: Config): Promise<Finding[]> {
  if (config.database_url === null) return []
  // Loaded only here, because most installations have no database server.
  const { requireInstallation } = await import('#installation/require-installation.ts')
  try {
    await requireInstallation(config, 'nothing')
    return [
      advised(
        'control_store_found',
        `${nameOfServer(config.database_url)} holds the control store of an installation.`,
      ),
    ]
  } catch (error) {
    return [advised(codeOfOpening(error), reasonOf(error))]
  }
}

/** The finding for a folder that cannot be opened; a full disk is not "busy". */
function codeOfOpening(error: unknown): FindingCode {
  if (error instanceof DiskRefusal) return 'stores_not_opened'
  if (error instanceof MovedRefusal) return 'stores_moved'
  if (error instanceof MissingInstallation) return 'installation_missing'
  if (error instanceof StoresApart) return 'stores_apart'
  if (error instanceof OutdatedStores) return 'stores_outdated'
  if (error instanceof LostControl) return 'control_store_lost'
  return error instanceof Refusal && error.kind === 'store_busy' ? 'folder_busy' : 'stores_not_opened'
}

async function checked(client: FolderClient): Promise<Finding[]> {
  try {
    const silent = { findings: [advised('server_silent', 'The server did not answer within 10 s.')] }
    const { findings } = await Promise.race([client.run('doctor', {}), pause(MAX_SILENCE_MS, silent, { ref: false })])
    return findings
  } catch (error) {
    // The watchdog ended the server before this command timed out.
    const ended = error instanceof Refusal && error.kind === 'reader_unavailable'
    return [advised(ended ? 'server_silent' : 'stores_not_opened', reasonOf(error))]
  } finally {
    await client.close()
  }
}

function checkNames(): Finding {
  const unknown = unknownVariables(commandHost().environment)
  return unknown.length === 0
    ? advised('configuration', 'Every setting is within its bounds.')
    : advised('configuration_unknown', `Spoor has no such setting: ${unknown.join(', ')}.`)
}

function printFinding({ code, level, message, advice }: Finding): void {
  printLine(`${level.padEnd(4)}  ${code}: ${asTypedHere(message)}`)
  if (advice !== '') printLine(`      ${asTypedHere(advice)}`)
}

function reasonOf(error: unknown): string {
  // The advice of the finding names the step.
  if (error instanceof MissingInstallation) return withoutStep(error)
  const advice = error instanceof Refusal ? null : machineAdvice(error)
  return advice === null ? messageOf(error) : withoutStep(advice)
}
