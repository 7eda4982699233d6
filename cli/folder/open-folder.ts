import type { InstallationOptions } from '#installation/installation.ts'
import { openInstallation } from '#installation/open-installation.ts'
import { refuseStore } from '#installation/refuse-store.ts'
import { runOperation } from '#surfaces/operator/operations.ts'
import { wordAll } from '#surfaces/step-words.ts'
import { openQuietLog } from '../host/command-log.ts'
import type { FolderClient } from './client.ts'

/** Opens the data folder for one command; Refusal(store_busy) when another process keeps it for its `wait_ms`. */
export async function openFolder(options: Omit<InstallationOptions, 'log'>): Promise<FolderClient> {
  const { config } = options
  const log = openQuietLog(config)
  const installation = await openInstallation({ ...options, log })
  return {
    run: (id, input) =>
      runOperation(installation.operator, id, input).catch((error: unknown) => {
        throw refuseStore(error)
      }),
    async importLog(request, log, onProgress) {
      const receipt = await installation.importLog(request, log.chunks(), onProgress)
      return { ...receipt, warnings: wordAll(receipt.warnings) }
    },
    backup: installation.backup,
    moveTo: installation.moveTo,
    close: () => installation.close(),
  }
}
