import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '../../controls/button.tsx'
import { ConfirmByTyping } from '../../forms/confirm-by-typing.tsx'
import type { ReadOutput } from '../../read/operations.ts'
import { readQuery, sessionQuery } from '../../read/queries.ts'
import { useChange } from '../../read/use-change.ts'
import { announce } from '../../shell/announce.tsx'
import { useMay } from '../../shell/use-may.ts'
import { useSite } from '../../shell/use-site.ts'
import { Panel, PanelBody } from '../../states/panel.tsx'
import { spanText } from '../../words/days.ts'
import { counted } from '../../words/numbers.ts'
import { ExportSite } from './export-site.tsx'
import { RenameSite } from './rename-site.tsx'
import { SiteSettings } from './site-settings.tsx'

/** Renames, exports or deletes the site. */
export default function DataPage() {
  const may = useMay()
  return (
    <SiteSettings title="Data">
      <ExportSite />
      {may.own === undefined && <RenameSite />}
      <DeleteSite />
    </SiteSettings>
  )
}

/** What is deleted with the site, with counts. */
export function lossWords(contents: ReadOutput<'getSiteContents'>): string {
  const { requests, events, first_day, last_day, sources, members, conversions, funnels, issues, brands } = contents
  const span = first_day === null || last_day === null ? '' : ` of ${spanText(first_day, last_day)}`
  const parts = [
    counted(sources, 'source'),
    counted(members, 'membership'),
    counted(conversions, 'conversion'),
    counted(funnels, 'funnel'),
    counted(issues, 'issue'),
  ]
  const kept = brands === 0 ? '' : ` ${counted(brands, 'brand')} ${brands === 1 ? 'is' : 'are'} kept, without a site.`
  return `${counted(requests, 'stored request')} of crawlers and ${counted(events, 'event')} of visitors${span} will be deleted, with ${parts.join(', ')}.${kept}`
}

function DeleteSite() {
  const site = useSite()
  const may = useMay()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [is_confirming, setConfirming] = useState(false)
  const contents = useQuery({
    ...readQuery('getSiteContents', { site: site?.id ?? '' }),
    enabled: is_confirming && may.own === undefined,
  })
  const remove = useChange('site.remove', {
    onDone: async ({ root_domain, revoked_key_ids }) => {
      await navigate({ to: '/sites' } as never)
      await queries.fetchQuery({ ...sessionQuery(), staleTime: 0 })
      void queries.invalidateQueries()
      announce(
        `${root_domain} is deleted${revoked_key_ids.length > 0 ? `, and ${counted(revoked_key_ids.length, 'key')} revoked` : ''}.`,
      )
    },
  })
  if (site === undefined) return null
  return (
    <Panel title="Delete this site">
      <PanelBody>
        <div className="space-y-6">
          <p className="max-w-300 text-ink2">
            Its evidence, days, issues, sources, definitions, members and keys are deleted, and erased from the disk
            soon after. Backups are not changed.
          </p>
          <Button kind="bad" forbidden={may.own} onClick={() => setConfirming(true)}>
            Delete the site
          </Button>
          {may.own !== undefined && <p className="text-small text-ink3">{may.own}</p>}
        </div>
        <ConfirmByTyping
          title={`Delete ${site.root_domain}?`}
          expected={site.root_domain}
          action="Delete the site"
          is_open={is_confirming}
          onClose={() => setConfirming(false)}
          onConfirm={async () => {
            await remove.mutateAsync({ site: site.id, typed_name: site.root_domain })
          }}
        >
          <p>
            {contents.data === undefined
              ? `All evidence of ${site.root_domain} will be deleted.`
              : lossWords(contents.data)}{' '}
            Senders that still deliver are refused. This cannot be undone.
          </p>
        </ConfirmByTyping>
      </PanelBody>
    </Panel>
  )
}
