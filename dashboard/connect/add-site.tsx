import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { Button } from '../controls/button.tsx'
import { FormError } from '../forms/form-error.tsx'
import { TextField } from '../forms/text-field.tsx'
import { sessionQuery } from '../read/queries.ts'
import { useChange } from '../read/use-change.ts'

/** Adds a site with this domain, then opens its overview, where the first source is connected. */
export function AddSite({ forbidden }: { forbidden: string | undefined }) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [domain, setDomain] = useState('')
  const add = useChange('site.add', {
    changes: ['getSitesOverview'],
    onDone: async ({ id }) => {
      // The router admits only sites that the session names.
      await queries.fetchQuery({ ...sessionQuery(), staleTime: 0 })
      await navigate({ to: '/sites/$site/performance', params: { site: id } } as never)
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    // Loads the first view of the new site's overview while the site is added.
    void import('./first-run.tsx')
    add.mutate({ domain: domainOf(domain) })
  }
  return (
    <form onSubmit={submit} className="max-w-240 space-y-6">
      <TextField
        label="Domain"
        help="For example example.com. Its subdomains belong to it."
        value={domain}
        onChange={setDomain}
        is_required
        is_mono
      />
      <FormError error={add.error} />
      <Button type="submit" kind="primary" forbidden={forbidden} aria-busy={add.isPending}>
        Add the site
      </Button>
      {forbidden !== undefined && <p className="text-small text-ink3">{forbidden}</p>}
    </form>
  )
}

/** The host of a pasted address such as https://www.example.com/shop. */
export function domainOf(text: string): string {
  const given = text.trim()
  if (!/^https?:\/\//i.test(given)) return given
  try {
    return new URL(given).hostname
  } catch {
    return given
  }
}
