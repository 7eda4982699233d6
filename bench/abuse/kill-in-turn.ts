/** Kills a command of `spoor` that works through the service, or the service under it. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Started } from './processes.ts'
import type { Attacked } from './under-attack.ts'

/**
 * After `after_ms`, kills the command in even attempts and the service in odd ones, which is then started again.
 * Returns the exit code of the command once the service is ready.
 */
export async function killInTurn(
  { client, service }: Pick<Attacked, 'client' | 'service'>,
  { started, attempt, after_ms }: { started: Started; attempt: number; after_ms: number },
) {
  await pause(after_ms)
  if (attempt % 2 === 0) started.process.kill('SIGKILL')
  else {
    client.allow('silence')
    await service.kill()
    // Without a server, the command does the work by itself, and holds the folder while it does.
    await started.ended
    await service.start()
  }
  const end = await started.ended
  await service.isReady()
  return end
}
