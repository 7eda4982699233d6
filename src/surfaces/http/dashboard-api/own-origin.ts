/**
 * Which requests are of our own pages: those that name our host and, where they change something, come from our origin
 * (decisions 2). Our origin is configured, or one of the loopback names of the listener; a `Host` header never makes
 * one.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { isLoopbackName } from '#networks.ts'
import { DashboardFailure } from './failures.ts'

export interface OwnOrigins {
  /** Null: nothing is configured. */
  public_url: string | null
  /** All origins that are ours, as browsers write them. */
  origins: readonly string[]
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

/** @param port of the listener; a listener that others reach too is ours by its loopback names alone. */
export function ownOrigins(public_url: string | null, port: number): OwnOrigins {
  if (public_url !== null) return { public_url, origins: [public_url] }
  return { public_url, origins: LOOPBACK.map((name) => new URL(`http://${name}:${port}`).origin) }
}

/** Another Host is refused, because a name that leads here by accident or malice is not ours. */
export function checkHost({ host = '' }: IncomingHttpHeaders, own: OwnOrigins): void {
  if (own.origins.some((origin) => isHostOf(host, origin))) return
  throw new DashboardFailure(
    'foreign_host',
    own.public_url === null
      ? 'This address is not known here. Open the address that the service printed, or set SPOOR_PUBLIC_URL to the one in your browser and start it again.'
      : `This address is not known here: open ${own.public_url}.`,
  )
}

/**
 * Refuses what a page of another origin makes a browser send. Whatever changes something has our `Origin`, or none and
 * a browser that says same-origin; nothing else comes from a page of another site.
 */
export function checkOrigin(headers: IncomingHttpHeaders, own: OwnOrigins, is_change: boolean): void {
  const { origin } = headers
  const fetch_site = headers['sec-fetch-site']
  const is_ours = origin !== undefined && own.origins.includes(origin.toLowerCase())
  const allowed = is_change
    ? (is_ours && (fetch_site === undefined || fetch_site === 'same-origin')) ||
      (origin === undefined && fetch_site === 'same-origin')
    : (origin === undefined || is_ours) && ['none', 'same-origin', undefined].includes(fetch_site as string | undefined)
  if (allowed) return
  throw new DashboardFailure(
    'foreign_origin',
    own.public_url === null
      ? 'This request does not come from a page of this service: open its own page. Behind a proxy, set SPOOR_PUBLIC_URL.'
      : `This request does not come from a page of this service: open it at ${own.public_url}.`,
  )
}

/** Whether others on the way could read what browsers send. */
export const isPlainHttp = ({ public_url }: OwnOrigins): boolean =>
  public_url !== null && !public_url.startsWith('https:') && !isLoopbackName(hostNameOf(public_url))

/** Passwords cross no network in clear text. @throws DashboardFailure insecure_origin. */
export function refusePlainHttp(own: OwnOrigins): void {
  if (!isPlainHttp(own)) return
  throw new DashboardFailure(
    'insecure_origin',
    `Signing in over plain http is refused, because others on the network could read the password: set SPOOR_PUBLIC_URL to an https address (it is ${own.public_url}), or open the service on its own machine.`,
  )
}

const hostNameOf = (origin: string): string => new URL(origin).hostname.replace(/^\[|\]$/g, '')

/** Compares parsed URLs, because a default port may be written or left out. */
function isHostOf(host: string, origin: string): boolean {
  const { protocol, host: own } = new URL(origin)
  return URL.canParse(`${protocol}//${host}`) && new URL(`${protocol}//${host}`).host === own
}
