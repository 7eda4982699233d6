import type { AccessCheck } from '../../../src/contract/site-api/index.ts'
import { Panel, PanelBody } from '../../states/panel.tsx'
import { dayText } from '../../words/days.ts'
import { shortText } from '../../words/foreign-text.ts'
import { fullCount } from '../../words/numbers.ts'

const NOT_REACHED = 'not reached'

/** Name, certificate and challenge. */
export function Connection({ check: { dns, tls, http, challenge } }: { check: AccessCheck }) {
  const signals = challenge?.signals ?? []
  return (
    <Panel title="Connection">
      <PanelBody>
        <Facts
          rows={[
            ['DNS', dns.state === 'failed' ? `failed: ${dns.code ?? 'unknown'}` : dns.addresses.join(', ')],
            ['TLS', tlsWords(tls)],
            ['Response', http === null ? NOT_REACHED : responseWords(http)],
            ['Challenge', challenge === null ? NOT_REACHED : challengeWords(challenge)],
            ...(signals.length === 0 ? [] : [['Signals', signals.map((one) => shortText(one)).join(', ')] as const]),
          ]}
        />
      </PanelBody>
    </Panel>
  )
}

/** The directives of the page: meta robots and headers. */
export function Directives({ check: { page_directives: said } }: { check: AccessCheck }) {
  return (
    <Panel title="Directives of the page">
      <PanelBody>
        {said === null ? (
          <p className="text-ink2">The page was not read, so its directives are unknown.</p>
        ) : (
          <Facts
            rows={[
              ['Meta robots', listWords(said.meta_robots)],
              [
                'X-Robots-Tag',
                listWords(
                  said.x_robots_tag.map(({ agent, directives }) =>
                    [...(agent === null ? [] : [`${agent}:`]), directives.join(', ')].join(' '),
                  ),
                ),
              ],
              ['Content-Signal', said.content_signal === null ? 'none' : shortText(said.content_signal)],
              ['Content-Usage', said.content_usage === null ? 'none' : shortText(said.content_usage)],
              ['llms.txt', said.llms_txt],
            ]}
          />
        )}
      </PanelBody>
    </Panel>
  )
}

const Facts = ({ rows }: { rows: readonly (readonly [string, string])[] }) => (
  <dl>
    {rows.map(([label, value]) => (
      <div key={label} className="flex gap-8 border-t border-line py-4 text-dense first:border-t-0">
        <dt className="w-48 shrink-0 text-ink3">{label}</dt>
        <dd className="min-w-0 [overflow-wrap:anywhere]">{value}</dd>
      </div>
    ))}
  </dl>
)

const listWords = (texts: readonly string[]) =>
  texts.length === 0 ? 'none' : texts.map((one) => shortText(one)).join(' · ')

function tlsWords(tls: AccessCheck['tls']): string {
  if (tls === null) return NOT_REACHED
  if (tls.state === 'none') return 'none: the page is served over http'
  if (tls.state === 'invalid') return `invalid: ${tls.code ?? 'unknown'}`
  const expires =
    tls.expires_at === null ? [] : [`expires ${dayText(tls.expires_at.slice(0, 10))} ${tls.expires_at.slice(0, 4)}`]
  return ['valid', ...(tls.protocol === null ? [] : [tls.protocol]), ...expires].join(', ')
}

function responseWords({ final_status, content_type, body_bytes, body_truncated }: NonNullable<AccessCheck['http']>) {
  if (final_status === null) return 'no response'
  const type = content_type === null ? [] : [shortText(content_type, 60)]
  return [String(final_status), ...type, `${fullCount(body_bytes)} bytes${body_truncated ? ' read' : ''}`].join(', ')
}

function challengeWords({ state, vendor }: NonNullable<AccessCheck['challenge']>): string {
  if (state === 'unknown') return 'unknown'
  if (state === 'not_detected') return 'not detected'
  return vendor === null ? 'detected' : `detected, ${shortText(vendor)}`
}
