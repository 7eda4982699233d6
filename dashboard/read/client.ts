/** The only module that sends requests to the service. */

import type { ChangeId, Changes, ReadId, ReadInput, ReadOutput } from './operations.ts'
import { askForPassword } from './password-question.ts'
import { isRefusal, Refusal } from './refusal.ts'
import { reportSessionEnded } from './session-ended.ts'

export const BASE = '/dashboard-api/'

/** @throws Refusal for every response without success, and when there is no response. */
export function read<Id extends ReadId>(id: Id, input: ReadInput<Id>, signal?: AbortSignal): Promise<ReadOutput<Id>> {
  const query = queryText(input as Readonly<Record<string, unknown>>)
  return request<ReadOutput<Id>>(`${id}${query}`, { method: 'GET', ...(signal === undefined ? {} : { signal }) })
}

/** Where the browser downloads an answer of the API as CSV. */
export const csvAddress = <Id extends ReadId>(id: Id, input: ReadInput<Id>): string =>
  `${BASE}${id}${queryText({ ...(input as Readonly<Record<string, unknown>>), format: 'csv' })}`

/** If the service requires the password again, the person is asked for it, and the call is repeated. */
export async function change<Id extends ChangeId>(id: Id, input: Changes[Id]['input']): Promise<Changes[Id]['output']> {
  const send = () =>
    request<Changes[Id]['output']>(id, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(input),
    })
  try {
    return await send()
  } catch (error) {
    const is_asked = isRefusal(error, 403) && error.code === 'reauthentication_required'
    if (!is_asked || !(await askForPassword())) throw error
    return send()
  }
}

/** Lists are comma lists; parameters without a value are left out, so that the service fills in its default. */
export function queryText(input: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(input).flatMap(([name, value]) =>
    value === undefined || value === null ? [] : [`${name}=${encodeURIComponent(String(value))}`],
  )
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

/** Throws as `read` does. */
export async function request<Answer>(path: string, init: RequestInit): Promise<Answer> {
  let response: Response
  try {
    response = await fetch(`${BASE}${path}`, {
      ...init,
      credentials: 'same-origin',
      headers: { accept: 'application/json', ...init.headers },
    })
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    throw new Refusal({ status: 0, request_id: null, body: null })
  }
  const body = jsonOf(await response.text())
  if (!response.ok) {
    const refusal = new Refusal({ status: response.status, request_id: response.headers.get('x-request-id'), body })
    // The cache of reads reports it for them. Wrong passwords are 401 as well, of another code.
    if (init.method === 'POST' && isRefusal(refusal, 401) && refusal.code === 'signed_out') reportSessionEnded()
    throw refusal
  }
  return body as Answer
}

/** A proxy may answer with a page of its own, which is not JSON. */
function jsonOf(text: string): unknown {
  try {
    return text === '' ? null : JSON.parse(text)
  } catch {
    return null
  }
}
