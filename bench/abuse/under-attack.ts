/**
 * What every scenario shares: a service with an honest client, and the conditions at the end: nothing lost or doubled,
 * memory bounded, the process alive, an orderly stop, and the same counts after a new start.
 */
import { type Counts, HonestClient } from './honest-client.ts'
import type { Installed } from './installed.ts'
import { check } from './scenario.ts'
import { Service, type ServiceOptions } from './service.ts'

/** An idle service takes under 450 MiB; reads, imports and roll-ups add up to the engine's limits. */
const MAX_MEMORY_MIB = 1_500
/** Without a name server, no request to other servers leaves this machine. */
const SETTINGS = { SPOOR_EVIDENCE_MEMORY_MB: '1024', SPOOR_DNS_SERVERS: '127.0.0.1:9' }

export interface Attacked {
  service: Service
  client: HonestClient
  installed: Installed
}

export interface AttackOptions extends ServiceOptions {
  /** Stores or disks fail, so the service may log errors. */
  may_log_errors?: boolean
}

/**
 * @param attack ends when the service is expected to work again.
 * @returns what was counted.
 */
export async function underAttack(
  installed: Installed,
  attack: (attacked: Attacked) => Promise<string>,
  { env = {}, is_launched = false, may_log_errors = false }: AttackOptions = {},
): Promise<string> {
  const service = await Service.open(installed, { env: { ...SETTINGS, ...env }, is_launched })
  const client = new HonestClient(service.url, installed.secrets)
  try {
    await service.isReady()
    await client.start()
    await client.works()
    const attacked = { service, client, installed }
    const counted = await attack(attacked).catch((error: unknown) => {
      // What the honest client found says more than the error with which the attack then failed.
      client.judge()
      throw error
    })
    await service.isReady()
    client.allow('success')
    await client.works()
    await client.stop()
    await client.verify()
    const peak = service.peakMemory()
    check(peak < MAX_MEMORY_MIB, `the service held ${peak} MiB of memory`)
    const [error] = service.errors()
    check(may_log_errors || error === undefined, `the service logged an error: ${JSON.stringify(error)}`)
    await service.stop()
    await service.start()
    await service.isReady()
    await client.verify()
    await service.stop()
    return [counted, countsText(client.counts), `${service.peakMemory()} MiB`].filter((text) => text !== '').join('; ')
  } finally {
    client.giveUp()
    await service.end()
  }
}

function countsText({ batches, events, reads, refused, unanswered, slowest_ms }: Counts): string {
  const away = refused + unanswered === 0 ? '' : `, ${refused} refused, ${unanswered} unanswered`
  return `honest: ${batches} batches, ${events} events, ${reads} reads${away}, slowest ${slowest_ms} ms`
}
