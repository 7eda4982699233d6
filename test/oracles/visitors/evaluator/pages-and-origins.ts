/** What of an event's addresses is kept: the page, and where the visitor came from (rules 6, rules 4 path/v1). */
import type { SentEvent } from '../history.ts'
import type { Rules } from './rules.ts'

export interface Page {
  hostname: string
  path: string
  path_fidelity: 'exact' | 'redacted'
}

export const UTM = ['source', 'medium', 'campaign', 'term', 'content'] as const
export type UtmField = (typeof UTM)[number]

export interface Origin {
  /** Host of the referrer; `own` for the site itself; null without one. */
  referrer: string | null
  has_paid_click: boolean
  utm: Partial<Record<UtmField, string>>
}

const EMAIL = /^[^@/]+@[^@/]+\.[a-z]+$/i

/** path/v1, as far as histories need it: unreserved escapes are decoded, e-mail addresses redacted. */
export function pageOf(url: string): Page {
  const { hostname, pathname } = new URL(url)
  let path_fidelity: Page['path_fidelity'] = 'exact'
  const segments = pathname.split('/').map((segment) => {
    const decoded = segment.replaceAll(/%([0-9a-f]{2})/gi, (escaped, hex: string) => {
      const character = String.fromCharCode(Number.parseInt(hex, 16))
      return /[A-Za-z0-9._~-]/.test(character) ? character : escaped.toUpperCase()
    })
    if (!EMAIL.test(decoded)) return decoded
    path_fidelity = 'redacted'
    return ':redacted'
  })
  return { hostname, path: segments.join('/'), path_fidelity }
}

/** Click ids that their vendors put on advertisements only. */
const PAID_CLICKS = ['gclid', 'msclkid']
const OTHER_CLICKS = ['ysclid', 'srsltid']

export function originOf({ url, referrer }: SentEvent, domain: string, rules: Rules): Origin {
  const query = url === null ? new URLSearchParams() : new URL(url).searchParams
  const host = referrer === undefined ? null : new URL(referrer).hostname
  const utm: Origin['utm'] = {}
  for (const field of UTM) {
    const value = query.get(`utm_${field}`)
    if (value !== null && value !== '') utm[field] = value.slice(0, rules.utm_length)
  }
  const clicks = rules.every_click_id_pays ? [...PAID_CLICKS, ...OTHER_CLICKS] : PAID_CLICKS
  return {
    referrer: host !== null && isBelow(host, [domain]) ? 'own' : host,
    has_paid_click: clicks.some((click) => query.has(click)),
    utm,
  }
}

/** Whether a host is one of these or below one. */
export const isBelow = (host: string, names: readonly string[]): boolean =>
  names.some((name) => host === name || host.endsWith(`.${name}`))
