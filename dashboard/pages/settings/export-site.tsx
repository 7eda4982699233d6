import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../controls/button.tsx'
import { FormError } from '../../forms/form-error.tsx'
import { askForPassword } from '../../read/password-question.ts'
import { sessionQuery } from '../../read/queries.ts'
import { siteExportAddress } from '../../read/site-export.ts'
import { useMay } from '../../shell/use-may.ts'
import { useSite } from '../../shell/use-site.ts'
import { Panel, PanelBody } from '../../states/panel.tsx'

/** All evidence and definitions as one file, which the browser saves while the service writes it. */
export function ExportSite() {
  const site = useSite()
  const may = useMay()
  const queries = useQueryClient()
  const { data: session } = useQuery(sessionQuery())
  const [error, setError] = useState<Error | null>(null)
  if (site === undefined) return null
  const save = async () => {
    setError(null)
    const fresh = await queries.fetchQuery({ ...sessionQuery(), staleTime: 0 }).catch((refused: Error) => {
      setError(refused)
      return null
    })
    if (fresh === null) return
    const is_confirmed = fresh.confirmed_until !== null && fresh.confirmed_until > fresh.as_of
    if (is_confirmed || (await askForPassword())) location.assign(siteExportAddress(site.id))
  }
  return (
    <Panel title="Export all evidence and definitions">
      <PanelBody>
        <div className="space-y-6">
          <p className="max-w-300 text-ink2">
            One file, DOMAIN-DAY.ndjson.gz, one JSON record per line: settings, members, sources with their coverage,
            definitions with revisions, issues, every stored request of crawlers and every event. Secrets are left out.
            A file without the last record, “end”, is incomplete.
          </p>
          <Button forbidden={may.own} onClick={save} aria-busy={session === undefined}>
            Export the site
          </Button>
          {may.own !== undefined && <p className="text-small text-ink3">{may.own}</p>}
          <FormError error={error} />
        </div>
      </PanelBody>
    </Panel>
  )
}
