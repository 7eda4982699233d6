import { useQuery } from '@tanstack/react-query'
import type { PLAN_BASES } from '../../../src/contract/vocabulary.ts'
import { mayOnBrand } from '../../brand/use-may-edit.ts'
import { PageLink } from '../../controls/page-link.tsx'
import type { ReadOutput } from '../../read/operations.ts'
import { readQuery, sessionQuery } from '../../read/queries.ts'
import { AccountSettings } from '../../settings/account-settings.tsx'
import { Async, SkeletonRows } from '../../states/async.tsx'
import { Panel } from '../../states/panel.tsx'
import { ENGINE_WORDS } from '../../words/brand.ts'
import { visibleText } from '../../words/foreign-text.ts'
import { EnginePanel } from './engine-panel.tsx'
import { SentimentPanel } from './sentiment-panel.tsx'

const BASIS_WORDS = {
  configured: 'asked by its API',
  imported: 'answers imported',
  both: 'asked by its API, answers stored',
} satisfies Record<(typeof PLAN_BASES)[number], string>

export type EngineList = ReadOutput<'engine.list'>
export type EngineState = EngineList['engines'][number]

/** Which engines are asked, with which settings, and what may that cost? */
export function EnginesPage() {
  const { data: session } = useQuery(sessionQuery())
  const { administer } = mayOnBrand(session, null)
  const is_admin = session !== undefined && administer === undefined
  const engines = useQuery({ ...readQuery('engine.list', {}), enabled: is_admin })
  return (
    <AccountSettings title="Engines">
      {is_admin ? (
        <Async
          query={engines}
          skeleton={
            <Panel title="Engines">
              <SkeletonRows rows={5} height={90} />
            </Panel>
          }
        >
          {(list) => <EngineBlocks list={list} />}
        </Async>
      ) : (
        <PlanPanel reason={administer} />
      )}
      {session !== undefined && session.brands.length > 0 && (
        <Panel title="Scans">
          <p className="px-8 pb-8 text-ink2 max-tablet:px-6">
            Each brand has a schedule for its questions, and the results of its scans:{' '}
            {session.brands.map(({ id, name }, index) => (
              <span key={id}>
                {index > 0 && ', '}
                <PageLink to="/brands/$brand/settings" params={{ brand: id }}>
                  {visibleText(name)}
                </PageLink>
              </span>
            ))}
            .
          </p>
        </Panel>
      )}
    </AccountSettings>
  )
}

export const EngineBlocks = ({ list }: { list: EngineList }) => (
  <>
    <p className="max-w-400 text-ink2">
      Engines with a key are asked by their APIs, with a web search. Keys are stored encrypted: they are entered once
      and never shown again. Answers of apps, Copilot and Google’s AI pages are imported.
    </p>
    {list.engines.map((engine) => (
      <EnginePanel key={engine.engine} engine={engine} />
    ))}
    <SentimentPanel list={list} />
  </>
)

/** What a member of the account may know. */
function PlanPanel({ reason }: { reason: string | undefined }) {
  const plan = useQuery(readQuery('getPlan', {}))
  return (
    <Panel title="Engines of the account">
      <Async query={plan} skeleton={<SkeletonRows rows={3} />}>
        {({ engines }) => (
          <div className="space-y-4 px-8 pb-8 max-tablet:px-6">
            <p>
              {engines.length === 0
                ? 'No engine is asked, and no answer was imported.'
                : engines
                    .map(({ engine, basis }) => `${ENGINE_WORDS[engine] ?? engine} (${BASIS_WORDS[basis]})`)
                    .join(', ')}
            </p>
            <p className="text-ink2">Keys and budgets: {reason}</p>
          </div>
        )}
      </Async>
    </Panel>
  )
}
