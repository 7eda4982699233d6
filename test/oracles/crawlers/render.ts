/** Deliveries as their senders write them. */
import { AGENTS } from './agents.ts'
import { type Batch, minutesOf, type Seen, type Upload, type Visit } from './events.ts'
import { instant } from './time.ts'

/** The root domain in histories; on the service each site has another one. */
export const SITE = 'example.com'
const HUMAN = '203.0.113.7'
/** A private one: it proves nothing and refutes nothing. */
const SOMEBODY = '10.1.2.3'

/** A batch as NDJSON. */
export function batchText(batch: Pick<Batch, 'heartbeats'> & Seen): string {
  const humans = minutesOf(batch).map((at) => record({ at, agent: 'human', host: SITE, path: '/', status: 200 }))
  const heartbeats = batch.heartbeats.map(({ from, to, host }) => ({
    type: 'heartbeat',
    covered_from: instant(from),
    covered_to: instant(to),
    ...(host === null ? {} : { host }),
  }))
  const unreadable = Array.from({ length: batch.unreadable }, () => ({ timestamp: 'no time', path: '/' }))
  return [...humans, ...batch.visits.map(record), ...unreadable, ...heartbeats]
    .map((one) => `${JSON.stringify(one)}\n`)
    .join('')
}

function record({ at, agent, host, path, status, address, verified, id }: Visit) {
  return {
    timestamp: instant(at),
    host,
    path,
    method: 'GET',
    status,
    user_agent: AGENTS[agent].user_agent,
    ...(address === undefined ? {} : { ip: address }),
    ...(verified === undefined ? {} : { verified_bot: true }),
    ...(id === undefined ? {} : { id }),
  }
}

/** A log in the combined layout; with the host first unless its owner names the host. */
export function logText(upload: Upload): string {
  const humans = minutesOf(upload).map((at) => ({ at, agent: 'human', host: SITE, path: '/', status: 200 }) as const)
  const lines = [...humans, ...upload.visits].map((visit) => line(visit, upload.host === null))
  const unreadable = Array.from({ length: upload.unreadable }, (_, index) => `nobody can read this ${index}\n`)
  return [...lines, ...unreadable].join('')
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

function line({ at, agent, host, path, status, address }: Visit, names_host: boolean): string {
  const [date = '', time = ''] = instant(at).slice(0, 19).split('T')
  const [year = '', month = '', day = ''] = date.split('-')
  const stamp = `${day}/${MONTHS[Number(month) - 1]}/${year}:${time} +0000`
  const client = address ?? (agent === 'human' ? HUMAN : SOMEBODY)
  const request = `"GET ${path} HTTP/1.1" ${status ?? '-'} 512 "-" "${AGENTS[agent].user_agent}"`
  return `${names_host ? `${host}:443 ` : ''}${client} - - [${stamp}] ${request}\n`
}
