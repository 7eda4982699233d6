import type { IncomingMessage } from 'node:http'

/**
 * The name of a header that a request holds twice although only one can count; null for none. TRICKY: Node keeps the
 * first of two in `headers` and says nothing, while a proxy before it may have believed the last.
 */
export function repeatedHeader({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): 'Host' | 'Authorization' | null {
  let hosts = 0
  let authorizations = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string
    if (name.length === HOST.length && name.toLowerCase() === HOST) hosts++
    else if (name.length === AUTHORIZATION.length && name.toLowerCase() === AUTHORIZATION) authorizations++
  }
  if (hosts > 1) return 'Host'
  return authorizations > 1 ? 'Authorization' : null
}

const HOST = 'host'
const AUTHORIZATION = 'authorization'

/** What the sender of such a request is answered. */
export const repeatedHeaderDetail = (name: string) => `The request has two ${name} headers; send one.`
