import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '../../controls/button.tsx'
import { ConfirmByTyping } from '../../forms/confirm-by-typing.tsx'
import { readQuery, sessionQuery } from '../../read/queries.ts'
import { useChange } from '../../read/use-change.ts'
import { announce } from '../../shell/announce.tsx'
import { useMay } from '../../shell/use-may.ts'
import { useSite } from '../../shell/use-site.ts'
import { Panel, PanelBody } from '../../states/panel.tsx'
import { counted } from '../../words/numbers.ts'
import { SiteSettings } from './site-settings.tsx'

/** What leaves with a site. */
export default function DataPage() {
  return (
    <SiteSettings title="Data">
      <DeleteSite />
    </SiteSettings>
  )
}

function DeleteSite() {
  const site = useSite()
  const may = useMay()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [is_asked, setAsked] = useState(false)
  const sources = useQuery({ ...readQuery('source.list', { site: site?.id ?? '' }), enabled: site !== undefined })
  const remove = useChange('site.remove', {
    onDone: async ({ root_domain, revoked_key_ids }) => {
      await navigate({ to: '/sites' } as never)
      await queries.fetchQuery({ ...sessionQuery(), staleTime: 0 })
      void queries.invalidateQueries()
      announce(
        `${root_domain} is deleted${revoked_key_ids.length > 0 ? `, and ${counted(revoked_key_ids.length, 'key')} ended` : ''}.`,
      )
    },
  })
  if (site === undefined) return null
  return (
    <Panel title="Delete this site">
      <PanelBody>
        <div className="space-y-6">
          <p className="max-w-300 text-ink2">
            Its evidence, days, issues, sources, definitions, members and keys go. The bytes are erased soon after. A
            backup that holds them still holds them.
          </p>
          <Button kind="bad" forbidden={may.own} onClick={() => setAsked(true)}>
            Delete {site.root_domain}
          </Button>
          {may.own !== undefined && <p className="text-small text-ink3">{may.own}</p>}
        </div>
        <ConfirmByTyping
          title={`Delete ${site.root_domain}?`}
          expected={site.root_domain}
          action="Delete the site"
          is_open={is_asked}
          onClose={() => setAsked(false)}
          onConfirm={async () => {
            await remove.mutateAsync({ site: site.id })
          }}
        >
          <p>
            All evidence of {site.root_domain} is lost
            {sources.data !== undefined && `, with ${counted(sources.data.sources.length, 'source')}`}. Senders that
            still deliver are refused. This cannot be taken back.
          </p>
        </ConfirmByTyping>
      </PanelBody>
    </Panel>
  )
}
