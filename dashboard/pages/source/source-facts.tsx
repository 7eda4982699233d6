import type { ReactNode } from 'react'
import type { Source } from '../../../src/contract/site-api/index.ts'
import { Unknown } from '../../evidence/value.tsx'
import type { ReadOutput } from '../../read/operations.ts'
import { PanelBody } from '../../states/panel.tsx'
import { datedDayText, datedInstantText, instantText, spanText } from '../../words/days.ts'
import { visibleText } from '../../words/foreign-text.ts'
import { counted } from '../../words/numbers.ts'
import {
  COMPLETENESS_WORDS,
  COUNTING_WORDS,
  countingOf,
  FIDELITY_WORDS,
  SOURCE_TYPE_WORDS,
  samplingWords,
  sourceLimitationWords,
  VANTAGE_WORDS,
  zoneFaultWords,
} from '../../words/sources.ts'

export type NamedSource = ReadOutput<'source.list'>['sources'][number]

/** Everything that answers report about a source, with the reasons why it is incomplete. */
export function SourceFacts({ source, named }: { source: Source | undefined; named: NamedSource }) {
  const limitations = source?.coverage_limitations ?? []
  return (
    <PanelBody>
      <dl className="grid gap-x-8 gap-y-4 tablet:grid-cols-[170px_1fr] [&_dt]:text-ink3">
        <Fact label="Type">{SOURCE_TYPE_WORDS[named.source_type]}</Fact>
        <Fact label="Counts in answers">{COUNTING_WORDS[countingOf(named)].fact}</Fact>
        <Fact label="Connected">
          {named.connected_at === null ? <Unknown /> : `${datedInstantText(named.connected_at)} UTC`}
        </Fact>
        <Fact label="Data through">
          {named.data_through === null ? <Unknown /> : `${datedInstantText(named.data_through)} UTC`}
        </Fact>
        {source !== undefined && <EvidenceFacts source={source} />}
        <Fact label="Vantage point">
          {named.vantage === null ? 'Not specified; treated as the origin.' : VANTAGE_WORDS[named.vantage]}
        </Fact>
        {named.error_code !== null && (
          <Fact label="Failing with">
            <code className="font-mono text-code text-bad">{named.error_code}</code>
            <span className="block text-dense text-ink2">{zoneFaultWords(named.error_code)}</span>
          </Fact>
        )}
        {limitations.length > 0 && (
          <Fact label="Not complete because">
            <ul className="list-disc pl-8">
              {limitations.map((limitation) => (
                <li key={limitation}>{sourceLimitationWords(visibleText(limitation))}</li>
              ))}
            </ul>
          </Fact>
        )}
        {named.failed_hours.length > 0 && (
          <Fact label="Hours that failed">
            <ul>
              {named.failed_hours.map(({ hour, attempts, error_code, next_try_at }) => (
                <li key={hour}>
                  {instantText(hour)} UTC: {error_code}, {counted(attempts, 'attempt')}, again{' '}
                  {instantText(next_try_at)} UTC
                </li>
              ))}
            </ul>
          </Fact>
        )}
      </dl>
    </PanelBody>
  )
}

function EvidenceFacts({ source }: { source: Source }) {
  const { completeness, evidence_from, backfill, sampling, http_status_fidelity, hostname_coverage } = source
  return (
    <>
      <Fact label="Evidence from">{evidence_from === null ? <Unknown /> : datedDayText(evidence_from)}</Fact>
      {backfill !== null && <Fact label="Provider’s history">{spanText(backfill.from, backfill.to)}</Fact>}
      <Fact label="Completeness">{completeness === null ? <Unknown /> : COMPLETENESS_WORDS[completeness]}</Fact>
      <Fact label="Sampling">{source.data_through === null ? <Unknown /> : samplingWords(sampling)}</Fact>
      <Fact label="Status codes">
        {http_status_fidelity === null ? <Unknown /> : FIDELITY_WORDS[http_status_fidelity]}
      </Fact>
      {hostname_coverage.proxied !== undefined && <Fact label="Proxied hosts">{names(hostname_coverage.proxied)}</Fact>}
      {hostname_coverage.unproxied !== undefined && hostname_coverage.unproxied.length > 0 && (
        <Fact label="Unproxied hosts">{names(hostname_coverage.unproxied)}. Requests to these are not observed.</Fact>
      )}
    </>
  )
}

const Fact = ({ label, children }: { label: string; children: ReactNode }) => (
  <>
    <dt>{label}</dt>
    <dd className="max-tablet:mb-3">{children}</dd>
  </>
)

const MAX_NAMES = 20
function names(hosts: readonly string[]): string {
  if (hosts.length === 0) return 'none'
  const shown = hosts.slice(0, MAX_NAMES).map(visibleText).join(', ')
  return hosts.length > MAX_NAMES ? `${shown} and ${hosts.length - MAX_NAMES} more` : shown
}
