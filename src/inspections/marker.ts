/** How inspections mark their requests, so that logs recognise them and counts leave them out (rules 8.3). */
import { isIP } from 'node:net'
import { isPermitted } from '#outgoing/addresses.ts'

/** What an agent of an inspection holds, whoever sent it. */
const MARKER = 'SpoorInspector/'
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/

/** Spoor's own agent, `SpoorInspector/1 (+URL; ID)`; without a public URL there is no link. Access checks have no id. */
export function inspectorAgent(public_url: string | null, inspection_id: string | null): string {
  const link = public_url === null || !isPublicUrl(public_url) ? [] : [`+${public_url}`]
  const parts = [...link, ...(inspection_id === null ? [] : [inspection_id])]
  return parts.length === 0 ? `${MARKER}1` : `${MARKER}1 (${parts.join('; ')})`
}

/** Whether an agent claims to be an inspection: it is then never the crawler that it names. */
export const isInspectorAgent = (user_agent: string): boolean => user_agent.includes(MARKER)

/** The id in a marker; null where there is none. */
export function markedInspection(user_agent: string): string | null {
  const at = user_agent.indexOf(MARKER)
  return at === -1 ? null : (UUID.exec(user_agent.slice(at, at + 300))?.[0] ?? null)
}

/** Whether a URL may be shown to strangers: names and addresses of the inside are not sent. */
export function isPublicUrl(url: string): boolean {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  if (isIP(host) !== 0) return isPermitted(host, [])
  return (
    host.includes('.') &&
    !/\.(localhost|local|internal|lan|home|corp|intranet|private|home\.arpa|test|invalid)$/i.test(host)
  )
}
