import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useMayOnBrand } from '../../brand/use-may-edit.ts'
import { Button } from '../../controls/button.tsx'
import { FormError } from '../../forms/form-error.tsx'
import { TextField } from '../../forms/text-field.tsx'
import { settingQuery } from '../../read/settings.ts'
import { useChange } from '../../read/use-change.ts'
import { announce } from '../../shell/announce.tsx'
import { Async, SkeletonRows } from '../../states/async.tsx'
import { Panel, PanelBody } from '../../states/panel.tsx'
import { counted } from '../../words/numbers.ts'

/** For how long answers are kept. Who may not set it may not read it either, and is told who can. */
export function RetentionPanel({ brand }: { brand: string }) {
  const may = useMayOnBrand()
  const kept = useQuery({ ...settingQuery('brand.retention', { brand }), enabled: may.own === undefined })
  return (
    <Panel title="Retention">
      {may.own === undefined ? (
        <Async query={kept} skeleton={<SkeletonRows rows={2} />}>
          {({ retention_days }) => <RetentionForm key={retention_days} brand={brand} days={retention_days} />}
        </Async>
      ) : (
        <p className="px-8 pb-8 text-ink2 max-tablet:px-6">{may.own}</p>
      )}
    </Panel>
  )
}

export function RetentionForm({ brand, days }: { brand: string; days: number }) {
  const [typed, setTyped] = useState(String(days))
  const save = useChange('brand.retention', { changes: ['brand.retention'] })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate({ brand, days: Number(typed) }, { onSuccess: () => announce('Saved.') })
  }
  const is_shorter = Number(typed) < days
  return (
    <PanelBody>
      <form onSubmit={submit} className="max-w-260 space-y-6">
        <TextField
          label="Days for which answers are kept"
          help={
            is_shorter
              ? `Answers that are older than ${counted(Number(typed), 'day')} are deleted for good.`
              : 'Answers, citations and mentions that are older are deleted for good.'
          }
          type="number"
          value={typed}
          onChange={setTyped}
        />
        <FormError error={save.error} />
        <Button type="submit" aria-busy={save.isPending}>
          Save retention
        </Button>
      </form>
    </PanelBody>
  )
}
