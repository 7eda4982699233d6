import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { SingleBar } from 'cli-progress'
import { refuseExisting, writeBackup } from '#backup/backup-file.ts'
import { systemClock } from '#clock.ts'
import { countOf, formatSize } from '#quantities.ts'
import { type CommandContext, procedure } from '../command.ts'
import { FOLDER_WAIT_MS, mayCreateIn, openLocated, refuseServed } from '../folder/client.ts'
import { openQuietLog } from '../host/command-log.ts'
import { breakOffOnSignal } from '../host/stop-signals.ts'
import { argument, flag, type Values } from '../input/parameters.ts'
import { printJson, printLine } from '../output.ts'
import { terminalBar } from '../progress-bar.ts'

const backupParameters = {
  file: argument('<file>', 'the file to make, for example spoor-2026-03-01.tar'),
  force: flag('--force', 'replace the file when it exists'),
}
export const backupCommand = procedure(
  'backup',
  'copy everything stored into one file, even while the server runs',
  backupParameters,
  backup,
)

const restoreParameters = {
  file: argument('<file>', 'a file made by spoor backup'),
  replace: flag('--replace', 'first move aside the stores in the data folder'),
}
export const restoreCommand = procedure(
  'restore',
  'put a backup into an empty data folder; no server may run on it',
  restoreParameters,
  restore,
)

async function backup({ file, force }: Values<typeof backupParameters>, context: CommandContext): Promise<void> {
  refuseExisting(file, { force })
  const stopping = breakOffOnSignal(
    'stopping: the unfinished backup is removed',
    'interrupted; no backup was made',
    context.json,
  )
  const { signal } = stopping
  const located = await context.locate()
  const client = await openLocated(located, context.json, mayCreateIn(located))
  try {
    const { bytes } = await client.backup(async (archive) => {
      const bar = startBar(file, archive.size)
      const writing = { force, signal, onWritten: (written: number) => bar?.update(written) }
      return writeBackup(file, archive, writing).finally(() => bar?.stop())
    }, signal)
    if (context.json) printJson({ file: resolve(file), bytes })
    else printLine(`Wrote ${file}, ${formatSize(bytes)}`)
  } finally {
    await client.close()
    stopping.end()
  }
}

async function restore({ file, replace }: Values<typeof restoreParameters>, context: CommandContext): Promise<void> {
  const config = context.config()
  await refuseServed(config)
  const { restoreInstallation } = await import('#installation/restore-installation.ts')
  const log = openQuietLog(config)
  const bar = startBar(file, sizeOf(file))
  const request = { file: resolve(file), replace }
  const opening = { config, clock: systemClock(), log, wait_ms: FOLDER_WAIT_MS }
  const restored = await restoreInstallation(opening, request, (bytes) => bar?.update(bytes)).finally(() => bar?.stop())
  if (context.json) return printJson(restored)
  printLine(`Restored ${countOf(restored.sites, 'site')} as of ${restored.created_at} into ${resolve(config.data)}`)
  if (restored.moved_aside !== null)
    printLine(`What was there is now in ${restored.moved_aside}: delete it when you no longer need it`)
}

/** Undefined if the size cannot be read: then no progress is shown, and opening the file reports why. */
function sizeOf(file: string): number | undefined {
  try {
    return statSync(file).size
  } catch {
    return undefined
  }
}

function startBar(file: string, size: number | undefined): SingleBar | undefined {
  if (size === undefined) return undefined
  const bar = terminalBar(`${file} [{bar}] {percentage}%, {eta_formatted} left`)
  bar?.start(size, 0)
  return bar
}
