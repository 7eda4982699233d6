/** The sender process of bench/intake.ts: prepares compressed batches, reports that, and delivers them on request. */
import { Agent, request } from 'node:http'
import { gzipSync } from 'node:zlib'
import type { Sent } from '../intake.ts'
import { intakeBatch } from './intake-batch.ts'

const [url = '', token = '', batches = '', records = '', senders = '', crawlers = '', ids = ''] = process.argv.slice(2)
const options = { crawler_share: Number(crawlers), has_ids: ids !== '' }
const prepared = Array.from({ length: Number(batches) }, (_, number) =>
  gzipSync(intakeBatch(number, Number(records), options), { level: 1 }),
)
const agent = new Agent({ keepAlive: true, maxSockets: Number(senders) })

process.send?.('ready')
process.once('message', async () => {
  const sent: Sent = { accepted: 0, records: 0, milliseconds: [], seconds: 0 }
  const started = performance.now()
  const waiting = prepared.values()
  await Promise.all(Array.from({ length: Number(senders) }, () => deliverAll(waiting, sent)))
  sent.seconds = (performance.now() - started) / 1000
  process.send?.(sent)
  process.disconnect?.()
  agent.destroy()
})

async function deliverAll(waiting: Iterator<Buffer> & Iterable<Buffer>, sent: Sent): Promise<void> {
  for (let next = waiting.next(); !next.done; next = waiting.next()) {
    const started = performance.now()
    const answer = await deliver(next.value)
    sent.milliseconds.push(performance.now() - started)
    sent.accepted += answer.accepted
    sent.records += answer.records
  }
}

function deliver(body: Buffer): Promise<{ accepted: number; records: number }> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, 'content-encoding': 'gzip', 'content-length': body.length }
    const sending = request(`${url}/intake/logs`, { method: 'POST', agent, headers }, (response) => {
      const pieces: Buffer[] = []
      response.on('data', (piece: Buffer) => pieces.push(piece))
      response.on('end', () => {
        const text = Buffer.concat(pieces).toString()
        if (response.statusCode === 200) resolve(JSON.parse(text))
        else reject(new Error(`answered ${response.statusCode}: ${text}`))
      })
    })
    sending.on('error', reject)
    sending.end(body)
  })
}
