import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../controls/button.tsx'
import { CheckField } from '../../forms/check-field.tsx'
import { FormError } from '../../forms/form-error.tsx'
import { TextField } from '../../forms/text-field.tsx'
import { sessionQuery } from '../../read/queries.ts'
import { settingQuery } from '../../read/settings.ts'
import { useChange } from '../../read/use-change.ts'
import { announce } from '../../shell/announce.tsx'
import { useSite } from '../../shell/use-site.ts'
import { Async, SkeletonRows } from '../../states/async.tsx'
import { Panel, PanelBody } from '../../states/panel.tsx'

/** The domain of a site, and its former domains that still refer to it (rules 1). For owners. */
export function RenameSite() {
  const site = useSite()
  const queries = useQueryClient()
  const [domain, setDomain] = useState('')
  const [keeps, setKeeps] = useState(true)
  const rename = useChange('site.rename', {
    changes: ['site.aliases', 'listSites', 'getSitesOverview'],
    onDone: async ({ root_domain }) => {
      setDomain('')
      await queries.fetchQuery({ ...sessionQuery(), staleTime: 0 })
      announce(`The site is now ${root_domain}.`)
    },
  })
  if (site === undefined) return null
  return (
    <Panel title="Domain">
      <PanelBody>
        <form
          className="max-w-260 space-y-6"
          onSubmit={(event) => {
            event.preventDefault()
            rename.mutate({ site: site.id, domain, keep_alias: keeps })
          }}
        >
          <TextField
            label={`New domain instead of ${site.root_domain}`}
            help="The id and the evidence are kept. New events and uploads are then expected from the new domain."
            value={domain}
            onChange={setDomain}
            is_required
          />
          <CheckField
            label={`${site.root_domain} still finds this site`}
            help="In links, commands and requests that name the site by its domain."
            checked={keeps}
            onChange={setKeeps}
          />
          <FormError error={rename.error} />
          <Button type="submit" aria-busy={rename.isPending}>
            Rename
          </Button>
        </form>
        <Aliases site={site.id} />
      </PanelBody>
    </Panel>
  )
}

function Aliases({ site }: { site: string }) {
  const aliases = useQuery(settingQuery('site.aliases', { site }))
  const forget = useChange('site.aliases', { changes: ['site.aliases'] })
  return (
    <Async query={aliases} skeleton={<SkeletonRows rows={1} />}>
      {({ aliases: names }) =>
        names.length === 0 ? null : (
          <ul className="mt-8 max-w-260 space-y-4" aria-label="Former domains that still find this site">
            {names.map((name) => (
              <li key={name} className="flex items-center justify-between gap-6">
                <span className="break-all">{name}</span>
                <Button onClick={() => forget.mutate({ site, forget: name })}>
                  Forget<span className="sr-only"> {name}</span>
                </Button>
              </li>
            ))}
            <FormError error={forget.error} />
          </ul>
        )
      }
    </Async>
  )
}
