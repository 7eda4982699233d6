import { CodeBlock } from '../../controls/code-block.tsx'
import type { Tracker } from '../../states/install-panel.tsx'
import { Panel, PanelBody } from '../../states/panel.tsx'

/** The origin that the snippet loads from; null without a snippet. */
export function originOf(snippet: string | null): string | null {
  const source = snippet?.match(/src="([^"]+)"/)?.[1]
  return source === undefined ? null : new URL(source).origin
}

/** What sites with a content security policy, or visitors with content blockers, also need. */
export function HintsPanel({ tracker: { snippet } }: { tracker: Pick<Tracker, 'snippet'> }) {
  const origin = originOf(snippet)
  if (origin === null) return null
  const { host, protocol } = new URL(origin)
  // Without the name, a server with several certificates refuses nginx or shows it another one.
  const server_name = protocol === 'https:' ? '\n  proxy_ssl_server_name on;' : ''
  return (
    <Panel title="If it does not load">
      <PanelBody>
        <h3 className="mb-3 font-medium">A content security policy</h3>
        <p className="mb-4 text-dense text-ink2">Allow the script and the address to which it sends events:</p>
        <CodeBlock text={`script-src ${origin}; connect-src ${origin}`} />
        <h3 className="mt-10 mb-3 font-medium">Content blockers</h3>
        <p className="mb-4 text-dense text-ink2">
          They stop requests to known analytics hosts. Forward two paths of your own host, for example with nginx, and
          load /data/page.js instead of /spoor.js:
        </p>
        <CodeBlock
          text={`location = /data/page.js {
  proxy_pass ${origin}/spoor.js;${server_name}
  proxy_set_header Host ${host};
  proxy_set_header Cookie "";
}
location = /data/collect {
  proxy_pass ${origin}/collect;${server_name}
  proxy_set_header Host ${host};
  proxy_set_header Cookie "";
  proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
}`}
        />
        <p className="mt-4 text-dense text-ink2">
          Add the proxy’s address to SPOOR_TRUSTED_PROXIES, otherwise all visitors count as one.
        </p>
      </PanelBody>
    </Panel>
  )
}
