import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Button } from '../../controls/button.tsx'
import { PageLink } from '../../controls/page-link.tsx'
import { PickList, type PickRow } from '../../forms/pick-list.tsx'
import { TextField } from '../../forms/text-field.tsx'
import type { ReadOutput } from '../../read/operations.ts'
import { readQuery } from '../../read/queries.ts'
import { useSiteId } from '../../read/use-report.ts'
import { useSite } from '../../shell/use-site.ts'
import { errorWords } from '../../states/error-panel.tsx'
import { Panel, PanelBody } from '../../states/panel.tsx'
import { SeenPages } from '../../states/seen-pages.tsx'
import { matcherWords } from '../../words/definitions.ts'
import { shortText } from '../../words/foreign-text.ts'
import { MAX_STEPS, type StepDraft, stepKey } from './draft.ts'

interface StepChoicesProps {
  steps: readonly StepDraft[]
  onAdd: (step: StepDraft) => void
}

/** Pages and conversions as they were observed, with counts; a page may be typed too. */
export function StepChoices({ steps, onAdd }: StepChoicesProps) {
  const is_full = steps.length >= MAX_STEPS
  const add = (step: StepDraft) => !is_full && onAdd(step)
  return (
    <Panel title="Add a step" note={is_full ? `at most ${MAX_STEPS} steps` : undefined}>
      <PanelBody>
        <div className="space-y-10">
          <ConversionChoices steps={steps} onAdd={add} />
          <PageChoices steps={steps} onAdd={add} />
          <TypedPage onAdd={add} is_full={is_full} />
        </div>
      </PanelBody>
    </Panel>
  )
}

function PageChoices({ steps, onAdd }: StepChoicesProps) {
  const picked = new Set(steps.flatMap((step) => (step.kind === 'page' ? [`${step.hostname}${step.path}`] : [])))
  return <SeenPages picked={picked} onPick={(page) => onAdd({ kind: 'page', ...page })} />
}

function ConversionChoices({ steps, onAdd }: StepChoicesProps) {
  const site = useSiteId()
  const conversions = useQuery(readQuery('conversion.list', { site }))
  const counts = useQuery(readQuery('getAnalyticsConversions', { site, window: '30d' }))
  const active = conversions.data?.conversions.filter(({ definition_state }) => definition_state === 'active') ?? []
  const converted = new Map(
    counts.data?.conversions.map(({ revision_id, metrics }) => [revision_id, metrics.converted_sessions]),
  )
  const rows = active.map(
    ({ id, name, matcher, revision_id }): PickRow => ({
      key: id,
      text: name,
      label: `${shortText(name)}: ${matcherWords(matcher)}`,
      count: counts.isPending ? undefined : (converted.get(revision_id) ?? null),
      unit: 'sessions',
    }),
  )
  return (
    <div>
      <p className="mb-3 text-dense font-medium">Conversions</p>
      <PickList
        label="Conversions"
        rows={rows}
        picked={new Set(steps.filter(({ kind }) => kind === 'conversion').map((step) => stepKey(step).slice(11)))}
        onPick={(id) => {
          const found = active.find((row) => row.id === id)
          if (found !== undefined) {
            onAdd({ kind: 'conversion', conversion_id: id, name: found.name, words: matcherWords(found.matcher) })
          }
        }}
        empty={<NoConversions site={site} conversions={conversions} />}
      />
    </div>
  )
}

type Conversions = UseQueryResult<ReadOutput<'conversion.list'>>

function NoConversions({ site, conversions }: { site: string; conversions: Conversions }) {
  if (conversions.isPending) return 'Reading…'
  if (conversions.data === undefined) {
    return (
      <>
        {errorWords(conversions.error)}{' '}
        <button type="button" className="link" onClick={() => void conversions.refetch()}>
          Try again
        </button>
      </>
    )
  }
  return (
    <>
      No conversion is defined yet.{' '}
      <PageLink to="/sites/$site/conversions/new" params={{ site }}>
        Create one
      </PageLink>
    </>
  )
}

function TypedPage({ onAdd, is_full }: { onAdd: (step: StepDraft) => void; is_full: boolean }) {
  const domain = useSite()?.root_domain ?? ''
  const [hostname, setHost] = useState(domain)
  const [path, setPath] = useState('')
  const [is_checked, setChecked] = useState(false)
  const fault = path.trim().startsWith('/')
    ? undefined
    : `${JSON.stringify(path)} is not a path; a path begins with a slash, such as /pricing.`
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setChecked(fault !== undefined)
    if (fault !== undefined) return
    onAdd({ kind: 'page', hostname: hostname.trim() === '' ? domain : hostname.trim(), path: path.trim() })
    setPath('')
  }
  return (
    <form onSubmit={submit} noValidate className="grid items-start gap-6 tablet:grid-cols-[1fr_1fr_auto]">
      <TextField label="Host of another page" value={hostname} onChange={setHost} is_mono />
      <TextField
        label="Path"
        value={path}
        onChange={setPath}
        // An empty field is not an error until the form is submitted, because typing a page is optional.
        fault={path === '' ? undefined : fault}
        error={is_checked ? fault : undefined}
        is_mono
      />
      <Button type="submit" disabled={is_full} className="tablet:mt-10">
        Add
      </Button>
    </form>
  )
}
