/** The other thread of intake-floor.ts: unpacks and parses each batch, and discards the result. */
import { parentPort } from 'node:worker_threads'
import { gunzipSync } from 'node:zlib'

parentPort?.on('message', (packed: Uint8Array) => {
  const records = gunzipSync(packed).toString('latin1').trimEnd().split('\n')
  parentPort?.postMessage(records.filter((record) => JSON.parse(record) !== null).length)
})
