import { type InstallationOptions, openInstallation, refuseStore } from '#installation.ts'
import { runOperation } from '#surfaces/operator/operations.ts'
import { wordAll } from '#surfaces/step-words.ts'
import { openQuietLog } from './command-log.ts'
import type { Reach } from './reach.ts'

/** Opens the data folder for one command; Refusal(store_busy) when another process keeps it for its `wait_ms`. */
export async function openFolder(options: Omit<InstallationOptions, 'log'>): Promise<Reach> {
  const { config } = options
  const log = openQuietLog(config)
  const installation = await openInstallation({ ...options, log })
  return {
    async run(name, input) {
      return runOperation(installation.operator, name, input).catch((error: unknown) => {
        throw refuseStore(error)
      })
    },
    async importLog(asked, log, onProgress) {
      const receipt = await installation.importLog(asked, log, onProgress)
      return { ...receipt, warnings: wordAll(receipt.warnings) }
    },
    backup: installation.backup,
    close: () => installation.close(),
  }
}
