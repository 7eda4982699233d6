import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Button } from '../../controls/button.tsx'
import { TextField } from '../../forms/text-field.tsx'
import { change } from '../../read/client.ts'
import type { ReadOutput } from '../../read/operations.ts'
import { useReportSearch, useSetSearch, useSiteId } from '../../read/use-report.ts'
import { PageTitle } from '../../shell/title.tsx'
import { useSite } from '../../shell/use-site.ts'
import { Loading, SkeletonRows } from '../../states/async.tsx'
import { errorWords } from '../../states/error-panel.tsx'
import { Panel } from '../../states/panel.tsx'
import { CheckResult } from './result.tsx'

/** May crawlers fetch a URL now? A shared address only fills in the field: a person starts the request. */
export function AccessCheckPage() {
  const site_id = useSiteId()
  const site = useSite()
  const { url } = useReportSearch() as { url?: string }
  const setSearch = useSetSearch()
  const [typed, setTyped] = useState(url ?? (site === undefined ? '' : `https://${site.root_domain}/`))
  const check = useMutation<ReadOutput<'runAccessCheck'>, Error, string>({
    mutationFn: (asked) => change('runAccessCheck', { site: site_id, url: asked }),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const asked = typed.trim()
    void setSearch({ url: asked } as never, { replace: true })
    check.mutate(asked)
  }
  return (
    <div className="space-y-8">
      <PageTitle title="Access check" site={site?.root_domain}>
        Access check
      </PageTitle>
      <p className="panel px-8 py-5 text-dense text-ink2">
        <strong className="font-strong text-ink">Current state only.</strong> Requested by this service, so a verified
        crawler may get another response.
      </p>
      <form
        onSubmit={submit}
        className="panel flex flex-wrap items-end gap-6 p-8 max-tablet:p-6"
        aria-label="Check a URL"
      >
        <div className="min-w-120 grow">
          <TextField
            label="URL on this site"
            value={typed}
            onChange={setTyped}
            error={check.error === null ? undefined : errorWords(check.error)}
            is_mono
          />
        </div>
        <Button type="submit" kind="primary" aria-busy={check.isPending} className="min-h-17">
          {check.isPending ? 'Checking' : 'Check'}
        </Button>
      </form>
      {check.isPending && (
        <Panel title="Checking robots.txt, DNS, TLS and the page">
          <Loading>
            <SkeletonRows rows={6} />
          </Loading>
        </Panel>
      )}
      {check.data !== undefined && !check.isPending && <CheckResult check={check.data} />}
      {check.isIdle && (
        <p className="text-ink2">
          Reads robots.txt, follows redirects, and checks certificates, directives and challenges of one page. It
          changes no issue and is not counted.
        </p>
      )}
    </div>
  )
}
