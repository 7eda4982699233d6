/** A browser with the dashboard open: it keeps the cookie, and says where its requests come from. */
import { hashPassword } from '#accounts/password.ts'
import { startSession } from '#accounts/sessions.ts'
import type { TestService } from './service.ts'

export const ORIGIN = 'http://localhost:8080'
export const PASSWORD = 'four words are enough'

export interface Said {
  status: number
  headers: Readonly<Record<string, unknown>>
  text: string
  json: Record<string, unknown>
}

export interface Browser {
  /** `name=value` of the session; null if no person is signed in. */
  cookie: string | null
  read(operation: string, query?: Readonly<Record<string, string>>, headers?: Headers): Promise<Said>
  change(operation: string, body?: unknown, headers?: Headers): Promise<Said>
}

type Headers = Readonly<Record<string, string | null>>

export function openBrowser({ http }: Pick<TestService, 'http'>): Browser {
  const send = async (method: 'GET' | 'POST', url: string, over: Headers, payload?: string): Promise<Said> => {
    const given: Record<string, string | null> = {
      host: new URL(ORIGIN).host,
      'sec-fetch-site': 'same-origin',
      'user-agent': 'Mozilla/5.0 (test)',
      ...(method === 'POST' ? { origin: ORIGIN, 'content-type': 'application/json' } : {}),
      ...(browser.cookie === null ? {} : { cookie: browser.cookie }),
      ...over,
    }
    const headers = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null)) as Record<
      string,
      string
    >
    const answer = await http.inject({ method, url, headers, ...(payload === undefined ? {} : { payload }) })
    const set = answer.headers['set-cookie']
    if (typeof set === 'string') {
      const [pair = ''] = set.split(';')
      browser.cookie = pair.endsWith('=') ? null : pair
    }
    const is_json = /json/.test(String(answer.headers['content-type']))
    return {
      status: answer.statusCode,
      headers: answer.headers,
      text: answer.body,
      json: is_json ? (JSON.parse(answer.body) as Record<string, unknown>) : {},
    }
  }
  const browser: Browser = {
    cookie: null,
    read: (operation, query = {}, headers = {}) => {
      const text = new URLSearchParams(query).toString()
      return send('GET', `/dashboard-api/${operation}${text === '' ? '' : `?${text}`}`, headers)
    },
    change: (operation, body = {}, headers = {}) =>
      send('POST', `/dashboard-api/${operation}`, headers, typeof body === 'string' ? body : JSON.stringify(body)),
  }
  return browser
}

let hashed: Promise<string> | undefined

/** Gives a person an address and the password of these tests, which is hashed once. */
export async function nameUser({ installation, clock }: TestService, user_id: string, email: string): Promise<void> {
  hashed ??= hashPassword(PASSWORD)
  const { db } = installation.control
  await db.updateTable('users').set({ email }).where('id', '=', user_id).execute()
  await db
    .insertInto('passwords')
    .values({ user_id, hash: await hashed, chosen_at: clock.now() })
    .execute()
}

/** A browser in which the person is signed in, without the time that a password takes. */
export async function signInAs(
  { http, installation }: TestService,
  { user_id }: { user_id: string },
): Promise<Browser> {
  const { control, clock } = installation
  const browser = openBrowser({ http })
  browser.cookie = `spoor_session=${await startSession(control.db, clock, { user_id, user_agent: 'Mozilla/5.0 (test)' })}`
  return browser
}
