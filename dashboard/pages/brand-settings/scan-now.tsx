import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { ApiEngine } from '../../../src/contract/vocabulary.ts'
import { API_ENGINES } from '../../../src/contract/vocabulary.ts'
import { Button } from '../../controls/button.tsx'
import { CheckField } from '../../forms/check-field.tsx'
import { ModalDialog } from '../../forms/dialog.tsx'
import { FormError } from '../../forms/form-error.tsx'
import { SelectField } from '../../forms/select.tsx'
import type { ReadOutput } from '../../read/operations.ts'
import { readQuery } from '../../read/queries.ts'
import { useChange } from '../../read/use-change.ts'
import { announce } from '../../shell/announce.tsx'
import { Async, SkeletonRows } from '../../states/async.tsx'
import { costText, ENGINE_WORDS } from '../../words/brand.ts'
import { RUNS_OPTIONS } from './schedule-form.tsx'

interface ScanNowProps {
  brand: string
  onClose: () => void
}

/** Which engines are asked now, and how often. Calls cost money, so a scan takes more than one click. */
export function ScanNow({ brand, onClose }: ScanNowProps) {
  const plan = useQuery(readQuery('getPlan', {}))
  return (
    <ModalDialog title="Scan now" is_open onClose={onClose}>
      <Async query={plan} skeleton={<SkeletonRows rows={4} />}>
        {(answer) => <ScanNowForm brand={brand} engines={askedEngines(answer)} onClose={onClose} />}
      </Async>
    </ModalDialog>
  )
}

/** Engines that have a key; answers of the others are only imported. */
export const askedEngines = ({ engines }: ReadOutput<'getPlan'>): ApiEngine[] =>
  API_ENGINES.filter((engine) => engines.some((each) => each.engine === engine && each.basis !== 'imported'))

interface ScanNowFormProps extends ScanNowProps {
  engines: readonly ApiEngine[]
}

export function ScanNowForm({ brand, engines, onClose }: ScanNowFormProps) {
  const [left_out, setLeftOut] = useState<ReadonlySet<ApiEngine>>(new Set())
  const [runs, setRuns] = useState('1')
  const start = useChange('scan.start', {
    changes: ['scan.list', 'getBrandReport', 'listAnswers'],
    onDone: ({ estimate_micros }) => {
      announce(`Started. It is expected to cost ${costText(estimate_micros)}.`)
      onClose()
    },
  })
  const asked = engines.filter((engine) => !left_out.has(engine))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    start.mutate({ brand, runs: Number(runs), ...(left_out.size === 0 ? {} : { engines: asked }) })
  }
  return (
    <form onSubmit={submit} className="space-y-8">
      <p className="text-ink2">
        Every active question is asked of these engines, at their prices. An engine whose budget is used up is not
        asked.
      </p>
      <fieldset className="space-y-4">
        <legend className="mb-4 text-dense font-medium">Engines</legend>
        {engines.length === 0 && <p className="text-ink2">No engine has a key yet.</p>}
        {engines.map((engine) => (
          <CheckField
            key={engine}
            label={ENGINE_WORDS[engine]}
            checked={!left_out.has(engine)}
            onChange={(is_asked) => setLeftOut(changed(left_out, engine, !is_asked))}
          />
        ))}
      </fieldset>
      <div className="w-90">
        <SelectField label="Each question" selected={runs} options={RUNS_OPTIONS} onSelect={setRuns} />
      </div>
      <FormError error={start.error} />
      <div className="flex justify-end gap-6">
        <Button onClick={onClose}>Do not scan</Button>
        <Button
          type="submit"
          kind="primary"
          forbidden={asked.length === 0 ? 'Choose an engine, or add a key for one.' : undefined}
          aria-busy={start.isPending}
        >
          Start the scan
        </Button>
      </div>
    </form>
  )
}

function changed(set: ReadonlySet<ApiEngine>, engine: ApiEngine, is_in: boolean): ReadonlySet<ApiEngine> {
  const others = [...set].filter((each) => each !== engine)
  return new Set(is_in ? [...others, engine] : others)
}
