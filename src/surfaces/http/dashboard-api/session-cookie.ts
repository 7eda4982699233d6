/** The cookies of the dashboard: the secret of a session (decisions 2), and the theme. */
import type { IncomingHttpHeaders } from 'node:http'
import { SESSION_SECONDS } from '#accounts/sessions.ts'

/** Over https a name that no other host and no plain page can set; browsers take that prefix over https only. */
const SECURE_NAME = '__Host-spoor_session'
const LOOPBACK_NAME = 'spoor_session'

const isSecure = (public_url: string | null): boolean => public_url?.startsWith('https:') === true

const nameOf = (public_url: string | null): string => (isSecure(public_url) ? SECURE_NAME : LOOPBACK_NAME)

/** The secret that a request carries; null: none. Of several cookies of the name the first counts. */
export function readSessionCookie(headers: IncomingHttpHeaders, public_url: string | null): string | null {
  return readCookie(headers, nameOf(public_url))
}

/** @param secret null: the browser forgets the cookie. */
export function writeSessionCookie(secret: string | null, public_url: string | null): string {
  const age = secret === null ? 0 : SESSION_SECONDS
  const secure = isSecure(public_url) ? '; Secure' : ''
  return `${nameOf(public_url)}=${secret ?? ''}; Path=/; Max-Age=${age}; HttpOnly; SameSite=Lax${secure}`
}

/** A cookie by its name; null: the request has none of it. */
export function readCookie({ cookie = '' }: IncomingHttpHeaders, name: string): string | null {
  const found = cookie
    .split(';')
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(`${name}=`))
  return found === undefined ? null : found.slice(name.length + 1)
}

/** What the dashboard keeps in its own cookie; anything else is what the machine prefers. */
export function readTheme(headers: IncomingHttpHeaders): 'system' | 'light' | 'dark' {
  const theme = readCookie(headers, 'spoor_theme')
  return theme === 'light' || theme === 'dark' ? theme : 'system'
}
