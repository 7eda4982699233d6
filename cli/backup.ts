import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { SingleBar } from 'cli-progress'
import type { Command } from 'commander'
import { systemClock } from '#clock.ts'
import { Refusal } from '#refusal.ts'
import { refuseExisting, writeBackup } from './backup-file.ts'
import { commandHost, type StopSignal } from './command-host.ts'
import { openQuietLog } from './command-log.ts'
import { type CommonOptions, configOf, withCommonOptions } from './options.ts'
import { note, printJson, printLine } from './output.ts'
import { FOLDER_WAIT_MS, reach, refuseServed } from './reach.ts'
import { onStopSignal } from './stop-signals.ts'

export function addBackupCommands(program: Command): void {
  withCommonOptions(
    program
      .command('backup')
      .description('copy everything stored into one file, also while the server runs')
      .argument('<file>', 'the file to make, for example spoor-2026-03-01.tar')
      .option('--force', 'replace the file when it exists'),
  ).action(backup)

  withCommonOptions(
    program
      .command('restore')
      .description('put a backup into an empty data folder; no server may run on it')
      .argument('<file>', 'a file made by spoor backup')
      .option('--replace', 'move what the data folder holds aside'),
  ).action(restore)
}

async function backup(file: string, options: CommonOptions & { force?: boolean }): Promise<void> {
  const force = options.force === true
  refuseExisting(file, { force })
  const broken = new AbortController()
  let asked: StopSignal | null = null
  const release = onStopSignal((signal) => {
    asked = signal
    note('spoor: stopping: the unfinished backup is removed')
    broken.abort(new Refusal('not_readable', 'interrupted; no backup was made'))
  })
  const way = await reach(configOf(options))
  try {
    const made = await way.backup(async (archive) => {
      const bar = progressBar(file, archive.size)
      try {
        return await writeBackup(file, archive, {
          force,
          signal: broken.signal,
          onWritten: (bytes) => bar?.update(bytes),
        })
      } finally {
        bar?.stop()
      }
    }, broken.signal)
    if (options.json) printJson({ file: resolve(file), bytes: made.bytes })
    else printLine(`Wrote ${file}, ${made.bytes.toLocaleString('en')} bytes`)
  } finally {
    await way.close()
    release()
    if (asked !== null) commandHost().endBy(asked)
  }
}

async function restore(file: string, options: CommonOptions & { replace?: boolean }): Promise<void> {
  const config = configOf(options)
  await refuseServed(config)
  const { restoreInstallation } = await import('#restoring.ts')
  const log = openQuietLog(config)
  const bar = progressBar(file, statSync(file, { throwIfNoEntry: false })?.size)
  const asked = { file: resolve(file), replace: options.replace === true }
  const opening = { config, clock: systemClock(), log, wait_ms: FOLDER_WAIT_MS }
  const restored = await restoreInstallation(opening, asked, (bytes) => bar?.update(bytes)).finally(() => bar?.stop())
  if (options.json) {
    printJson(restored)
    return
  }
  printLine(`Restored ${restored.sites === 1 ? '1 site' : `${restored.sites} sites`} as of ${restored.created_at}`)
  if (restored.moved_aside !== null)
    printLine(`What was there is now in ${restored.moved_aside}: delete it when you no longer need it`)
}

/** A bar on a terminal only; pipes get no escape codes. */
function progressBar(file: string, size: number | undefined): SingleBar | undefined {
  const { stderr } = commandHost()
  if (!stderr.isTTY || size === undefined) return undefined
  const format = `${file} [{bar}] {percentage}%, {eta_formatted} left`
  const bar = new SingleBar({ format, stream: stderr, hideCursor: true, clearOnComplete: true })
  bar.start(size, 0)
  return bar
}
