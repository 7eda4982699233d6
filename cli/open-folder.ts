import { type InstallationOptions, openInstallation, refuseStore } from '#installation.ts'
import { type CommandOutput, type OperatorContext, operatorCommands } from '#surfaces/operator/commands.ts'
import { openQuietLog } from './command-log.ts'
import type { Reach } from './reach.ts'

/** Opens the data folder for one command; Refusal(store_busy) when another process keeps it for its `wait_ms`. */
export async function openFolder(options: Omit<InstallationOptions, 'log'>): Promise<Reach> {
  const { config } = options
  const log = openQuietLog(config)
  const installation = await openInstallation({ ...options, log })
  return {
    async run(name, input) {
      const run = operatorCommands[name].run as (ctx: OperatorContext, input: unknown) => Promise<unknown>
      const answered = run(installation.operator, input).catch((error: unknown) => {
        throw refuseStore(error)
      })
      return (await answered) as CommandOutput<typeof name>
    },
    importLog: installation.importLog,
    backup: installation.backup,
    close: () => installation.close(),
  }
}
