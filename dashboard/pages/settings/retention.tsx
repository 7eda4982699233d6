import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Button } from '../../controls/button.tsx'
import { CheckField } from '../../forms/check-field.tsx'
import { ConfirmByTyping } from '../../forms/confirm-by-typing.tsx'
import { FormError } from '../../forms/form-error.tsx'
import { TextField } from '../../forms/text-field.tsx'
import { settingQuery } from '../../read/settings.ts'
import { useChange } from '../../read/use-change.ts'
import { useSiteId } from '../../read/use-report.ts'
import { NotForYou } from '../../settings/settings-page.tsx'
import { announce } from '../../shell/announce.tsx'
import { useMay } from '../../shell/use-may.ts'
import { Async, SkeletonRows } from '../../states/async.tsx'
import { Panel, PanelBody } from '../../states/panel.tsx'
import { counted } from '../../words/numbers.ts'
import { SiteSettings } from './site-settings.tsx'

/** How long is evidence kept, and who is left out? */
export default function RetentionPage() {
  const may = useMay()
  return (
    <SiteSettings title="Retention and privacy">
      <Panel title="Retention">{may.own === undefined ? <Retention /> : <Hidden />}</Panel>
      <Panel title="Privacy floor">{may.own === undefined ? <PrivacyFloor /> : <Hidden />}</Panel>
      <Panel title="Visitors who ask not to be counted">{may.own === undefined ? <OptOut /> : <Hidden />}</Panel>
    </SiteSettings>
  )
}

const Hidden = () => <NotForYou>Owners see and change this.</NotForYou>

function Retention() {
  const site = useSiteId()
  const queries = useQueryClient()
  const setting = useQuery(settingQuery('site.retention', { site }))
  const [days, setDays] = useState<string | null>(null)
  const [is_asked, setAsked] = useState(false)
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
          const submit = (event: FormEvent) => {
            event.preventDefault()
            if (Number(chosen) < retention_days) setAsked(true)
            else save.mutate({ site, days: Number(chosen) })
          }
          return (
            <>
              <form onSubmit={submit} className="space-y-6">
                <NumberForm
                  label="Days that evidence is kept"
                  help="Older facts, events, days and issues are deleted by the next round of the retention job."
                  value={chosen}
                  onChange={setDays}
                  is_busy={save.isPending}
                />
                <FormError error={save.error} />
              </form>
              <ConfirmByTyping
                title={`Keep evidence for ${chosen} days only?`}
                expected={null}
                action="Delete what is older"
                is_open={is_asked}
                onClose={() => setAsked(false)}
                onConfirm={async () => {
                  await save.mutateAsync({ site, days: Number(chosen) })
                }}
              >
                <p>
                  It was {counted(retention_days, 'day')}. Evidence older than {chosen} days is deleted and cannot be
                  brought back.
                </p>
              </ConfirmByTyping>
            </>
          )
        }}
      </Async>
    </PanelBody>
  )
}

function PrivacyFloor() {
  const site = useSiteId()
  const setting = useQuery(settingQuery('site.privacy_floor', { site }))
  const [floor, setFloor] = useState<string | null>(null)
  const save = useChange('site.privacy_floor', {
    changes: ['site.privacy_floor', 'getAnalyticsFunnels', 'getAnalyticsFunnel'],
    onDone: ({ privacy_floor }) => {
      setFloor(null)
      announce(`Groups of fewer than ${counted(privacy_floor, 'session')} are withheld.`)
    },
  })
  return (
    <PanelBody>
      <Async query={setting} skeleton={<SkeletonRows rows={1} />}>
        {({ privacy_floor }) => (
          <form
            onSubmit={(event) => {
              event.preventDefault()
              save.mutate({ site, privacy_floor: Number(floor ?? privacy_floor) })
            }}
            className="space-y-6"
          >
            <NumberForm
              label="Sessions from which a group is shown"
              help="Smaller groups of visitors read “withheld”, so that no single person can be told from a number."
              value={floor ?? String(privacy_floor)}
              onChange={setFloor}
              is_busy={save.isPending}
            />
            <FormError error={save.error} />
          </form>
        )}
      </Async>
    </PanelBody>
  )
}

interface NumberFormProps {
  label: string
  help: string
  value: string
  onChange: (value: string) => void
  is_busy: boolean
}

const NumberForm = ({ label, help, value, onChange, is_busy }: NumberFormProps) => (
  <div className="flex max-w-260 flex-wrap items-end gap-6">
    <div className="grow">
      <TextField label={label} help={help} type="number" value={value} onChange={onChange} is_required />
    </div>
    <Button type="submit" aria-busy={is_busy}>
      Save
    </Button>
  </div>
)

function OptOut() {
  const site = useSiteId()
  const setting = useQuery(settingQuery('tracker.opt_out', { site }))
  const save = useChange('tracker.opt_out', { changes: ['tracker.opt_out'] })
  return (
    <PanelBody>
      <Async query={setting} skeleton={<SkeletonRows rows={1} />}>
        {({ honours_opt_out }) => (
          <div className="space-y-4">
            <CheckField
              label="Leave out visitors whose browser asks for it"
              help="Do Not Track and Global Privacy Control are then honoured; what they did is in no number."
              checked={honours_opt_out}
              onChange={(checked) => save.mutate({ site, honours_opt_out: checked })}
            />
            <FormError error={save.error} />
          </div>
        )}
      </Async>
    </PanelBody>
  )
}
