import type { Sources } from '../../../src/contract/site-api/index.ts'
import { Unknown, Value } from '../../evidence/value.tsx'
import { Panel } from '../../states/panel.tsx'
import { DataTable } from '../../tables/data-table.tsx'
import type { Column } from '../../tables/table-types.ts'
import { dayText, instantText } from '../../words/days.ts'
import { visibleText } from '../../words/foreign-text.ts'
import { fullCount } from '../../words/numbers.ts'
import { FIDELITY_WORDS, samplingWords } from '../../words/sources.ts'

type Authority = NonNullable<Sources['authority']>
type Host = Authority['hosts'][number]
type Shadow = Authority['shadow_diagnostics'][number]

/** Which source counts which host, and how much other sources differ from it; only while the gate is open. */
export const AuthorityPanels = ({ authority }: { authority: Authority }) => (
  <>
    <Panel title="Who counts which host" note="One counting source for each host and day">
      <DataTable
        caption="Hosts and the source that counts them"
        columns={HOST_COLUMNS}
        rows={authority.hosts}
        rowKey={({ hostname, interval_start }) => `${hostname} ${interval_start}`}
        total={authority.hosts.length}
        empty="No source has been assigned to any host yet. Assign one in Site settings, Gates and authority."
      />
    </Panel>
    <Panel title="Shadows" note="Other sources of the same host and day, compared and never counted">
      <DataTable
        caption="Differences between the counting source and others"
        columns={SHADOW_COLUMNS}
        rows={authority.shadow_diagnostics}
        rowKey={(shadow) => `${shadow.hostname} ${shadow.day} ${shadow.shadow_contract_revision_id}`}
        total={authority.shadow_diagnostics_truncated ? null : authority.shadow_diagnostics.length}
        empty="No other source saw the same host on the same day."
      />
    </Panel>
  </>
)

const HOST_COLUMNS: Column<Host>[] = [
  {
    key: 'host',
    head: 'Host',
    cell: ({ hostname }) => <code className="font-mono text-code">{visibleText(hostname)}</code>,
  },
  {
    key: 'source',
    head: 'Counted by',
    cell: ({ authority_state, provider, adapter, disconnect }) =>
      authority_state === 'unknown' ? (
        <Unknown />
      ) : (
        <>
          {provider} <span className="text-ink3">{adapter}</span>
          {disconnect !== null && (
            <span className="block text-small text-bad">
              disconnected {instantText(disconnect.disconnected_at)} UTC
            </span>
          )}
        </>
      ),
    phone: 'tag',
  },
  {
    key: 'interval',
    head: 'Time, UTC',
    cell: ({ interval_start, interval_end }) => `${instantText(interval_start)} – ${instantText(interval_end)}`,
    phone: 'bar',
  },
  { key: 'evidence', head: 'Evidence', cell: ({ evidence_state }) => evidence_state, phone: 'value' },
  {
    key: 'sampling',
    head: 'Sampling',
    cell: ({ sampling, authority_state }) => (authority_state === 'unknown' ? <Unknown /> : samplingWords(sampling)),
  },
  { key: 'paths', head: 'Paths', cell: ({ path_fidelity: one }) => (one === null ? <Unknown /> : FIDELITY_WORDS[one]) },
  {
    key: 'status',
    head: 'Status codes',
    cell: ({ status_fidelity: one }) => (one === null ? <Unknown /> : FIDELITY_WORDS[one]),
  },
]

const REASON_WORDS: Readonly<Record<string, string>> = {
  coverage_incomplete: 'one of the two was not complete',
  sampled: 'one of the two is sampled',
  fidelity_differs: 'paths are reported differently',
  no_authority: 'no source was assigned',
}

const SHADOW_COLUMNS: Column<Shadow>[] = [
  {
    key: 'host',
    head: 'Host',
    cell: ({ hostname }) => <code className="font-mono text-code">{visibleText(hostname)}</code>,
  },
  { key: 'day', head: 'Day', cell: ({ day }) => dayText(day), phone: 'tag' },
  { key: 'authority', head: 'Counted', cell: ({ authority_provider: by }) => by ?? <Unknown /> },
  { key: 'shadow', head: 'Shadow', cell: ({ shadow_provider }) => shadow_provider },
  {
    key: 'authority_count',
    head: 'Counted requests',
    is_number: true,
    cell: (one) => <Value value={one.authority_count} />,
  },
  { key: 'shadow_count', head: 'Of the shadow', is_number: true, cell: (one) => <Value value={one.shadow_count} /> },
  {
    key: 'delta',
    head: 'Difference',
    is_number: true,
    phone: 'value',
    cell: ({ comparable, delta, reason }) =>
      comparable ? (
        <Value value={delta} format={signed} />
      ) : (
        <span className="text-ink2">not comparable: {REASON_WORDS[reason ?? ''] ?? reason}</span>
      ),
  },
]

const signed = (delta: number) => (delta > 0 ? `+${fullCount(delta)}` : fullCount(delta))
