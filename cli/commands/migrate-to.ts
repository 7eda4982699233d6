/** `spoor migrate-to`: an embedded installation moves to servers, while it serves (decisions 8.2). */

import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { systemClock } from '#clock.ts'
import type { Config } from '#config.ts'
import { lockFolder } from '#control/folder-lock.ts'
import type { MovePhase, MoveProgress, MoveState } from '#move/move-state.ts'
import { hasMoved, readMoveState } from '#move/move-state.ts'
import type { MoveReport } from '#move/report.ts'
import type { TargetSettings } from '#move/target.ts'
import { formatCount } from '#quantities.ts'
import { Refusal } from '#refusal.ts'
import { findKeyCheck } from '#secrets/key-check.ts'
import { findKeyName } from '#secrets/secret-box.ts'
import { serverListens } from '#surfaces/operator/socket-client.ts'
import { socketPath } from '#surfaces/operator/socket-path.ts'
import { BadUsage } from '../bad-usage.ts'
import { type CommandContext, procedure } from '../command.ts'
import { FOLDER_WAIT_MS, openClient } from '../folder/client.ts'
import { asTypedHere } from '../host/program-name.ts'
import { breakOffOnSignal } from '../host/stop-signals.ts'
import { flag, type Values } from '../input/parameters.ts'
import { lines, printJson, printLine, table } from '../output.ts'
import { terminalBar } from '../progress-bar.ts'

const parameters = {
  status: flag('--status', 'show how far a move of the data folder has got'),
  give_up: flag('--give-up', 'give up a move that has begun; the installation stays as it is'),
  remove_copy: flag('--remove-copy', 'with --give-up: delete what was copied to the servers'),
}

export const migrateToCommand = procedure(
  'migrate-to',
  'move the installation to PostgreSQL and ClickHouse servers, even while the service runs',
  parameters,
  migrateTo,
)

/** The targets are given by the same variables that the service will have afterwards. */
async function migrateTo(asked: Values<typeof parameters>, context: CommandContext): Promise<void> {
  const config = await context.locate()
  const folder = resolve(config.data)
  const settings = settingsOf(config)
  if (asked.remove_copy && !asked.give_up) throw new BadUsage('--remove-copy works only with --give-up: give both')
  if (asked.status && asked.give_up) {
    throw new BadUsage('--status shows a move and --give-up ends it: give one of them')
  }
  if (!existsSync(folder)) {
    throw new Refusal('not_found', `the data folder ${folder} does not exist: check --data or SPOOR_DATA`)
  }
  if (asked.status) return showStatus(folder, context.json)
  if (asked.give_up) return giveUp(folder, asked.remove_copy ? settings : null, context.json)
  if (settings.database_url === null) {
    throw new Refusal(
      'invalid_input',
      'no target is named: set SPOOR_DATABASE_URL (and SPOOR_CLICKHOUSE_URL for the evidence) for this command, as the service will use them afterwards',
    )
  }
  const report = await move(config, folder, settings, context.json)
  if (context.json) printJson(report)
  else printLine(reportText(report, folder))
}

async function move(config: Config, folder: string, settings: TargetSettings, json: boolean): Promise<MoveReport> {
  const stopping = breakOffOnSignal(
    'stopping: what is copied is kept for the next run; the service continues as before',
    'interrupted; nothing was moved. Repeat the command to continue from here',
    json,
  )
  const bar = moveBar()
  try {
    const state = readMoveState(folder)
    const is_over = state !== null && (state.phase === 'handing_over' || hasMoved(state, settings))
    const is_served = await serverListens(socketPath(folder))
    if (is_over && !is_served) return await finish(folder, settings, state)
    const now = asItIsNow(config, state)
    // Opening a folder without an installation would make one, and take the target for its control store.
    if (!is_served) await requireOne(now)
    const client = await openClient(now)
    try {
      return await client.moveTo(settings, { signal: stopping.signal, onProgress: (progress) => bar?.show(progress) })
    } finally {
      bar?.stop()
      await client.close()
    }
  } finally {
    stopping.end()
  }
}

/** @throws MissingInstallation: there is nothing to move. */
async function requireOne(config: Config): Promise<void> {
  const { requireInstallation } = await import('#installation/require-installation.ts')
  await requireInstallation(config, 'upgrade')
}

/** The old stores are no longer opened. */
async function finish(folder: string, settings: TargetSettings, state: MoveState): Promise<MoveReport> {
  const { finishHandOver } = await import('#move/move-installation.ts')
  const lock = await lockFolder(folder, { wait_ms: FOLDER_WAIT_MS })
  try {
    return await finishHandOver(folder, systemClock(), settings, state)
  } finally {
    lock.release()
  }
}

/** Without a server this process opens the stores that are moved: the control store is PostgreSQL once it has moved. */
function asItIsNow(config: Config, state: MoveState | null): Config {
  const has_moved =
    state !== null && (state.earlier_control !== null || (state.phase === 'moved' && state.moves_control))
  const is_embedded = !has_moved && existsSync(join(config.data, 'control.sqlite'))
  return { ...config, clickhouse: null, database_url: is_embedded ? null : config.database_url }
}

function settingsOf({ data, database_url, clickhouse, secret_key }: Config): TargetSettings {
  const has_key = secret_key !== null
  return {
    database_url,
    clickhouse,
    secret_key_name: has_key ? findKeyName(data, { secret_key }) : null,
    secret_key_check: has_key ? findKeyCheck(data, { secret_key }) : null,
  }
}

async function giveUp(folder: string, settings: TargetSettings | null, json: boolean): Promise<void> {
  const { giveUpMove } = await import('#move/give-up.ts')
  const { to_evidence, to_control } = await giveUpMove(folder, systemClock(), settings)
  const targets = [to_evidence, to_control].filter((to) => to !== null).join(' and ')
  if (json) return printJson({ given_up: true, copy_removed: settings !== null })
  printLine(
    settings === null
      ? `The move to ${targets} is given up. What was copied is still there: a new move to the same servers continues from it; otherwise drop those databases.`
      : `The move to ${targets} is given up, and what was copied there is deleted.`,
  )
}

async function showStatus(folder: string, json: boolean): Promise<void> {
  const { isRunning } = await import('#move/give-up.ts')
  const state = readMoveState(folder)
  const is_running = state !== null && isRunning(state, systemClock())
  if (json) return printJson({ is_running, move: state })
  if (state === null) return printLine('No move has begun.')
  const to = [state.to_evidence, state.to_control].filter((each) => each !== null).join(' and ')
  const { phase, progress, failure, report } = state
  if (phase === 'moved') {
    return printLine(report === null ? `Moved to ${to}.` : reportText(report, folder))
  }
  printLine(
    lines(
      `Moving to ${to}, begun ${state.started_at}`,
      `${is_running ? 'Now' : 'Broken off'}: ${PHASE_WORDS[phase]}${progress === null ? '' : `, ${progressText(progress)}`}`,
      failure === null ? null : `Reason: ${failure}`,
      is_running ? null : asTypedHere('To continue: spoor migrate-to. To give it up: spoor migrate-to --give-up'),
    ),
  )
}

const PHASE_WORDS: Readonly<Record<MovePhase, string>> = {
  copying: 'copying while the service runs',
  verifying: 'comparing everything',
  catching_up: 'copying what was received since the start',
  read_only: 'copying the last piece, while writes are refused',
  handing_over: 'handing over',
  moved: 'moved',
}

function progressText({ rows, rows_total, pieces, rows_per_second, seconds_left }: MoveProgress): string {
  const of = rows_total === 0 ? '' : ` of ${formatCount(rows_total)}`
  const left =
    seconds_left === null
      ? ''
      : `, ${seconds_left < 90 ? `${seconds_left} s` : `${Math.ceil(seconds_left / 60)} min`} left`
  return `${formatCount(rows)}${of} rows in ${formatCount(pieces)} days of sites, ${formatCount(rows_per_second)} rows/s${left}`
}

/** On a terminal only. */
function moveBar(): { show(progress: MoveProgress): void; stop(): void } | undefined {
  const bar = terminalBar('{phase} [{bar}] {what}')
  if (bar === undefined) return undefined
  bar.start(1, 0, { phase: '', what: '' })
  return {
    show(progress) {
      const { rows, rows_total, phase } = progress
      const share = rows_total === 0 ? 0 : Math.min(1, rows / rows_total)
      bar.update(share, { phase: PHASE_WORDS[phase], what: progressText(progress) })
    },
    stop: () => bar.stop(),
  }
}

function reportText(report: MoveReport, folder: string): string {
  const { evidence, control, read_only_seconds } = report
  return lines(
    evidence === null
      ? null
      : `Evidence moved to ${evidence.to}: ${formatCount(evidence.rows)} rows in ${formatCount(evidence.pieces)} pieces, compared by rows, sums and hashes; none differs`,
    evidence === null
      ? null
      : table(
          evidence.tables.filter(({ rows }) => rows > 0),
          {
            TABLE: 'table',
            PIECES: (row) => formatCount(row.pieces),
            ROWS: (row) => formatCount(row.rows),
            SUM: 'sum',
            HASH: 'hash',
          },
        ),
    control === null
      ? null
      : `Control store moved to ${control.to}: ${formatCount(control.rows)} rows in ${control.tables.length} tables, compared by rows and hashes; none differs`,
    `Writes were refused for ${read_only_seconds} s`,
    '',
    'Next:',
    '  1. Stop the service, and give it (and every command) the settings that this command had:',
    `     ${[...(evidence === null ? [] : ['SPOOR_CLICKHOUSE_URL', 'SPOOR_CLICKHOUSE_CLUSTER where it was set', 'SPOOR_SECRET_KEY']), 'SPOOR_DATABASE_URL'].join(', ')}`,
    `  2. Start it, on ${folder} as before; on another folder copy payloads/ there, and secret.key if SPOOR_SECRET_KEY is not set.`,
    '  3. Back up the servers: spoor backup copies embedded stores only.',
    `  4. Keep the old stores until you trust the new ones, then delete them in ${folder}: ${[
      ...(evidence === null ? [] : ['evidence/']),
      ...(control === null ? [] : ['control.sqlite*', 'quotas.sqlite*']),
    ].join(', ')}`,
  )
}
