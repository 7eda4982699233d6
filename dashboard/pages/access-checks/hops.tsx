import type { AccessCheck } from '../../../src/contract/site-api/index.ts'
import { Panel, PanelBody } from '../../states/panel.tsx'
import { visibleText } from '../../words/foreign-text.ts'

type Http = NonNullable<AccessCheck['http']>

const STATE_WORDS: Record<Http['state'], string> = {
  answered: 'answered',
  timed_out: 'timed out',
  refused: 'not followed: this service does not request that address',
  reset: 'the connection was reset',
  too_many_redirects: 'too many redirects',
  loop: 'the redirects form a loop',
}

/** The redirects to the page, one response per line. */
export function Hops({ check: { http } }: { check: AccessCheck }) {
  return (
    <Panel title="Answers" note={http === null ? undefined : STATE_WORDS[http.state]}>
      {http === null || http.hops.length === 0 ? (
        <PanelBody>
          <p className="text-ink2">The page was not reached.</p>
        </PanelBody>
      ) : (
        <ol>
          {http.hops.map(({ url, status, location, ms }, index) => (
            <li
              // biome-ignore lint/suspicious/noArrayIndexKey: redirects may lead to the same address twice
              key={index}
              className="grid grid-cols-[auto_minmax(0,1fr)_auto] gap-x-8 border-t border-line px-8 py-5 max-tablet:px-6"
            >
              <span className={`font-strong ${status >= 400 ? 'text-bad' : ''}`}>{status}</span>
              <bdi className="font-mono text-code [overflow-wrap:anywhere]">
                {visibleText(url)}
                {location !== null && <span className="block text-ink2">leads to {visibleText(location)}</span>}
              </bdi>
              <span className="text-dense text-ink3">{ms} ms</span>
            </li>
          ))}
        </ol>
      )}
    </Panel>
  )
}
