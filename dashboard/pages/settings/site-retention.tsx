import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { ConfirmByTyping } from '../../forms/confirm-by-typing.tsx'
import { FormError } from '../../forms/form-error.tsx'
import { wholeNumberFault } from '../../forms/number-fault.ts'
import { settingQuery } from '../../read/settings.ts'
import { useChange } from '../../read/use-change.ts'
import { useSiteId } from '../../read/use-report.ts'
import { announce } from '../../shell/announce.tsx'
import { Async, SkeletonRows } from '../../states/async.tsx'
import { PanelBody } from '../../states/panel.tsx'
import { counted } from '../../words/numbers.ts'
import { LostEvidence } from './lost-evidence.tsx'
import { NumberForm } from './number-form.tsx'

/** The limits that the service sets. */
const MAX_DAYS = 36_500

/** How many days evidence is kept. A lower number is confirmed first, with the counts that it deletes. */
export function SiteRetention() {
  const site = useSiteId()
  const queries = useQueryClient()
  const setting = useQuery(settingQuery('site.retention', { site }))
  const [days, setDays] = useState<string | null>(null)
  const [is_confirming, setConfirming] = useState(false)
  const save = useChange('site.retention', {
    changes: ['site.retention'],
    onDone: ({ retention_days }) => {
      setDays(null)
      announce(`Evidence is kept for ${counted(retention_days, 'day')}.`)
      void queries.invalidateQueries({ queryKey: ['getCoverage'] })
    },
  })
  return (
    <PanelBody>
      <Async query={setting} skeleton={<SkeletonRows rows={1} />}>
        {({ retention_days }) => {
          const chosen = days ?? String(retention_days)
          const fault = wholeNumberFault(chosen, 1, MAX_DAYS)
          const submit = (event: FormEvent) => {
            event.preventDefault()
            if (fault !== undefined) return
            if (Number(chosen) < retention_days) setConfirming(true)
            else save.mutate({ site, days: Number(chosen) })
          }
          return (
            <>
              <form onSubmit={submit} className="space-y-6">
                <NumberForm
                  label="Days that evidence is kept"
                  help="Older requests of crawlers and events of visitors are deleted. Uploaded logs age from their import."
                  value={chosen}
                  onChange={setDays}
                  fault={fault}
                  is_busy={save.isPending}
                />
                <FormError error={save.error} />
              </form>
              <ConfirmByTyping
                title={`Keep evidence for ${counted(Number(chosen), 'day')} only?`}
                expected={null}
                action="Delete older evidence"
                is_open={is_confirming}
                onClose={() => setConfirming(false)}
                onConfirm={async () => {
                  await save.mutateAsync({ site, days: Number(chosen) })
                }}
              >
                <p>
                  Until now, it was {counted(retention_days, 'day')}. Evidence older than{' '}
                  {counted(Number(chosen), 'day')} is deleted and cannot be restored.
                </p>
                <LostEvidence site={site} days={Number(chosen)} />
              </ConfirmByTyping>
            </>
          )
        }}
      </Async>
    </PanelBody>
  )
}
