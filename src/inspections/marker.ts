/** The marker of inspection requests, by which log imports recognize them and leave them out (rules 8.3). */
import { isIP } from 'node:net'
import { INSPECTOR_MARK } from '#crawlers/registry/inspector-agent.ts'
import { isPermitted } from '#outgoing/addresses.ts'

/**
 * Spoor's own agent, `SpoorInspector/1 (+URL; ID)`. Without a public URL it has no URL; access checks have no id.
 */
export function inspectorAgent(public_url: string | null, inspection_id: string | null): string {
  const link = public_url === null || !isPublicUrl(public_url) ? [] : [`+${public_url}`]
  const parts = [...link, ...(inspection_id === null ? [] : [inspection_id])]
  return parts.length === 0 ? `${INSPECTOR_MARK}1` : `${INSPECTOR_MARK}1 (${parts.join('; ')})`
}

/** Whether a URL may be sent to other servers: internal names and addresses are not. */
export function isPublicUrl(url: string): boolean {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  if (isIP(host) !== 0) return isPermitted(host, [])
  return (
    host.includes('.') &&
    !/\.(localhost|local|internal|lan|home|corp|intranet|private|home\.arpa|test|invalid)$/i.test(host)
  )
}
