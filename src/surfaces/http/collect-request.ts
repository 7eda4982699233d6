/** What a request of collection says before its events are looked at: its bytes, its page, its client. */

import type { IncomingMessage } from 'node:http'
import { quoted } from '#foreign-text.ts'
import type { Network } from '#networks.ts'
import { formatCount } from '#quantities.ts'
import { CollectRefusal } from '#tracker/collection/collect-refusal.ts'
import type { BrowserRequest } from '#tracker/collection/receive-events.ts'
import { MAX_BODY_BYTES } from '#tracker/collection/split-request.ts'
import type { BodyPlaces } from './body-places.ts'
import { type BodyRate, checkRate, tooSlowDetail } from './body-rate.ts'
import { clientAddress, clientNetwork } from './client-address.ts'

const CONTENT_TYPE = /^(?:text\/plain|application\/json)[ \t]*(?:;|$)/i
/** Agents of people are far shorter. */
const MAX_AGENT_CHARACTERS = 1_024
const MAX_REMEMBERED = 20_000
const MAX_REMEMBERED_LENGTH = 128
/** Pieces of a body: many times the packets of the longest one on the narrowest line. Each costs memory. */
const MAX_PIECES = 1_024

/** Returns a reader of a browser's headers and address. It remembers the addresses that it has checked. */
export function openBrowserReader(
  trusted: readonly Network[],
): (request: IncomingMessage) => Omit<BrowserRequest, 'body'> {
  /** By peer, and then by what it forwarded, which is empty for nothing. */
  const clients = new Map<string, Map<string, { address: string; network: string }>>()
  let remembered = 0
  const clientOf = (peer: string, forwarded = '') => {
    const known = clients.get(peer)?.get(forwarded)
    if (known !== undefined) return known
    const address = clientAddress(peer, forwarded, trusted)
    const client = { address, network: clientNetwork(address) }
    if (remembered >= MAX_REMEMBERED) {
      clients.clear()
      remembered = 0
    }
    if (forwarded.length > MAX_REMEMBERED_LENGTH) return client
    const of_peer = clients.get(peer) ?? new Map<string, typeof client>()
    clients.set(peer, of_peer.set(forwarded, client))
    remembered++
    return client
  }
  return ({ headers, socket }) => {
    const forwarded = headers['x-forwarded-for']
    const { address, network } = clientOf(
      socket.remoteAddress ?? '',
      Array.isArray(forwarded) ? forwarded.join(', ') : forwarded,
    )
    const user_agent = headers['user-agent'] ?? ''
    return {
      page: { origin: headers.origin, referer: headers.referer },
      address,
      network,
      user_agent: user_agent.slice(0, MAX_AGENT_CHARACTERS),
      // Global Privacy Control, and what came before it.
      opts_out: headers['sec-gpc'] === '1' || headers.dnt === '1',
    }
  }
}

/** The bearer of a server's request; null when there is none. */
export function bearerOf({ headers }: IncomingMessage): string | null {
  return /^bearer +([\w.~+/-]+=*) *$/i.exec(headers.authorization ?? '')?.[1] ?? null
}

/**
 * The whole body, at most 64 KiB in at most 1,024 pieces. @throws CollectRefusal malformed, too_large, too_slow,
 * rate_limited. TRICKY: the rest of a body that is too long is left to Node, which drains it: closing could hide the
 * answer.
 */
export function readBytes(request: IncomingMessage, sender: string, { places, rate }: BodyLimits): Promise<Buffer> {
  const { headers } = request
  const type = headers['content-type']
  if (type !== undefined && !CONTENT_TYPE.test(type)) {
    throw malformed('unsupported_content_type', `Content-Type is ${quoted(type)}; send application/json or text/plain.`)
  }
  if ((headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity') {
    throw malformed('unsupported_encoding', 'The body is compressed; send it as it is.')
  }
  if (Number(headers['content-length']) > MAX_BODY_BYTES) throw tooLarge()
  const release = places.take(sender)
  if (release === null) throw tooMany()
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  let stopRateCheck = () => {}
  let is_over = false
  const fail = (error: CollectRefusal) => {
    is_over = true
    stopRateCheck()
    release()
    reject(error)
  }
  // TRICKY: by then a body that came together with its headers is whole, as nearly all are: it needs no timer. A tick
  // is too early: ticks run once Node has read the body's bytes, and before it has seen that no more come.
  setImmediate(() => {
    if (is_over || request.complete || request.destroyed) return
    stopRateCheck = checkRate(request, rate, () => fail(tooSlow(rate)))
    places.lend(release, () => fail(tooMany()))
  })
  const chunks: Buffer[] = []
  let size = 0
  request.on('data', (chunk: Buffer) => {
    if (is_over) return
    size += chunk.length
    if (size > MAX_BODY_BYTES) fail(tooLarge())
    else if (chunks.length < MAX_PIECES) chunks.push(chunk)
    else fail(malformed('malformed_body', `The body came in more than ${MAX_PIECES} pieces; send larger chunks.`))
  })
  request.on('end', () => {
    stopRateCheck()
    release()
    resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks))
  })
  const broken = () => fail(malformed('malformed_body', 'The body broke off before its end.'))
  request.on('error', broken)
  if (request.destroyed) broken()
  return promise
}

export interface BodyLimits {
  places: BodyPlaces
  rate: BodyRate
}

const RETRY_SECONDS = 5
const tooSlow = (rate: BodyRate) => new CollectRefusal('too_slow', 'body_too_slow', tooSlowDetail(rate))
const tooMany = () =>
  new CollectRefusal(
    'rate_limited',
    'rate_limited',
    'Too many request bodies are unfinished: send this one again later.',
    {
      retry_after: RETRY_SECONDS,
    },
  )

const malformed = (code: string, message: string) => new CollectRefusal('malformed', code, message)
const tooLarge = () =>
  new CollectRefusal(
    'too_large',
    'body_too_large',
    `The body is longer than ${formatCount(MAX_BODY_BYTES)} bytes; send fewer events.`,
  )
