/** Connects to checked addresses, and checks the certificate. */
import { isIP, type LookupFunction, connect as overTcp, type Socket } from 'node:net'
import { checkServerIdentity, connect as overTls, type PeerCertificate, type TLSSocket } from 'node:tls'
import type { Destination } from './destination.ts'
import { failed } from './refused.ts'

/** The result of a TLS handshake. */
export interface TlsObservation {
  /** `invalid`: the certificate does not prove the name. `none`: there was no handshake. */
  state: 'valid' | 'invalid' | 'none'
  /** Node's code of the fault; NO_SUBJECT_ALT_NAME for a certificate that only Node would accept. */
  code: string | null
  /** For example `TLSv1.3`. */
  protocol: string | null
  issuer: string | null
  /** Epoch milliseconds. */
  expires_at: number | null
  /** Whether the certificate names the host; null: there is no certificate. */
  names_match: boolean | null
}

/** If an address does not answer for two seconds, the next one is tried. */
const TRY_EACH = { autoSelectFamily: true, autoSelectFamilyAttemptTimeout: 2_000 }

/**
 * Connects, and over https checks the certificate before anything is sent. `secured` is called after every handshake.
 * @param signal aborts the connection.
 * @throws OutgoingRefusal tls; errors of the connection.
 */
export function connectTo(
  to: Destination,
  signal: AbortSignal,
  secured: (tls: TlsObservation) => void,
): Promise<Socket> {
  const host = to.url.hostname.replace(/^\[|\]$/g, '')
  const where = { host, port: to.port, lookup: pinned(to.addresses), ...TRY_EACH }
  const isSecure = to.url.protocol === 'https:'
  const socket = isSecure
    ? overTls({
        ...where,
        ALPNProtocols: ['http/1.1'],
        // The certificate is checked below, where it can be described.
        rejectUnauthorized: false,
        // RFC 6066 3: without the final dot.
        ...(isIP(host) === 0 && { servername: host.replace(/\.$/, '') }),
      })
    : overTcp(where)
  return new Promise((resolve, reject) => {
    let isConnected = false
    const end = (error: unknown) => {
      signal.removeEventListener('abort', abort)
      socket.destroy()
      reject(error)
    }
    const abort = () => {
      if (isSecure && isConnected) secured(noHandshake('TLS_HANDSHAKE_TIMEOUT'))
      end(signal.reason)
    }
    signal.addEventListener('abort', abort, { once: true })
    if (signal.aborted) return abort()
    socket.once('connect', () => {
      isConnected = true
    })
    socket.once('error', (error: NodeJS.ErrnoException) => {
      if (isSecure && isConnected) secured(noHandshake(error.code ?? error.message))
      end(error)
    })
    socket.once(isSecure ? 'secureConnect' : 'connect', () => {
      signal.removeEventListener('abort', abort)
      socket.removeAllListeners('error')
      if (!isSecure) return resolve(socket)
      const tls = describeHandshake(socket as TLSSocket, host)
      secured(tls)
      if (tls.state === 'valid') return resolve(socket)
      end(
        failed('tls', `${to.url.host} has no valid TLS certificate or speaks no TLS (${tls.code}).`, String(tls.code)),
      )
    })
  })
}

/** A lookup with the checked addresses, IPv4 first: resolving the name again could give other ones. */
function pinned(addresses: readonly string[]): LookupFunction {
  const known = addresses
    .map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    .sort((a, b) => a.family - b.family)
  return (_name, { all }, callback) => {
    if (all) callback(null, known)
    else callback(null, known[0]?.address ?? '', known[0]?.family)
  }
}

const noHandshake = (code: string): TlsObservation => ({
  state: 'none',
  code,
  protocol: null,
  issuer: null,
  expires_at: null,
  names_match: null,
})

function describeHandshake(socket: TLSSocket, host: string): TlsObservation {
  const certificate = socket.getPeerCertificate()
  const { authorizationError } = socket
  // Node gives the code or the error, although its type is Error.
  const fault = authorizationError as unknown as { code?: string } | string | null
  const reported = typeof fault === 'string' ? fault : (fault?.code ?? null)
  // TRICKY: for a certificate without alternative names Node uses the common name, which browsers and most crawlers
  // refuse.
  const hasNames = certificate.subjectaltname !== undefined
  const code = reported ?? (hasNames ? null : 'NO_SUBJECT_ALT_NAME')
  return {
    state: code === null ? 'valid' : 'invalid',
    code,
    protocol: socket.getProtocol(),
    issuer: issuerOf(certificate),
    expires_at: Number.isNaN(Date.parse(certificate.valid_to)) ? null : Date.parse(certificate.valid_to),
    // Independent of other faults of the certificate: `code` has only one.
    names_match: hasNames && checkServerIdentity(host, certificate) === undefined,
  }
}

/** The organisation, else the name; distinguished names can have several of each. */
function issuerOf({ issuer }: PeerCertificate): string | null {
  const named = [issuer?.O, issuer?.CN].flatMap((value) => value ?? [])[0]
  return named ?? null
}
