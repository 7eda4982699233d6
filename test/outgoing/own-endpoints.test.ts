/** A whole service on free ports, whose operator has allowed every network and port. */
import pino from 'pino'
import { afterEach, expect, test } from 'vitest'
import { systemClock } from '#clock.ts'
import { readConfig } from '#config.ts'
import { openClient } from '../../cli/folder/client.ts'
import { type Service, startService } from '../../src/main.ts'
import { makeTestFolder, removeTestFolder } from '../support/control.ts'

const folder = makeTestFolder()
let service: Service
afterEach(async () => {
  await service.stop()
  removeTestFolder(folder)
})

test('a service requests neither its own API nor its metrics, wherever they listen', async () => {
  const environment = { SPOOR_ALLOW_NETWORKS: '0.0.0.0/0,::/0', SPOOR_METRICS_LISTEN: '127.0.0.1:0' }
  const allow_ports = new Set(Array.from({ length: 65_535 }, (_, port) => port + 1))
  const config = { ...readConfig(environment), data: folder, port: 0, allow_ports }
  service = await startService({ config, clock: systemClock(), log: pino({ level: 'silent' }), wait_ms: 0 })
  const client = await openClient(config)
  const asked = (url: string) => client.run('registry.fetch', { url })
  for (const endpoint of [service.url, String(service.metrics_url)]) {
    const { port } = new URL(endpoint)
    for (const host of ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]']) {
      await expect(asked(`https://${host}:${port}/`)).rejects.toThrow(/leads to this service itself/)
    }
  }
  // Another endpoint of the machine, without a server, is requested.
  await expect(asked('https://127.0.0.1:1/')).rejects.toThrow(/accepts no connection/)
  await client.close()
})
