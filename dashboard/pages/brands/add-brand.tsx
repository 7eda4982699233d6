import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { NameFields } from '../../brand/name-fields.tsx'
import { NO_SITE, SiteField } from '../../brand/site-field.tsx'
import { NO_NAMES, namesOf } from '../../brand/typed-names.ts'
import { Button } from '../../controls/button.tsx'
import { FormError } from '../../forms/form-error.tsx'
import { sessionQuery } from '../../read/queries.ts'
import { useChange } from '../../read/use-change.ts'
import { useReread } from '../../read/use-reread.ts'
import { announce } from '../../shell/announce.tsx'
import { Panel, PanelBody } from '../../states/panel.tsx'

export function AddBrand({ forbidden }: { forbidden: string | undefined }) {
  const { refetch } = useQuery(sessionQuery())
  const navigate = useNavigate()
  const [typed, setTyped] = useState(NO_NAMES)
  const [site, setSite] = useState(NO_SITE)
  const add = useChange('brand.add')
  const reread = useReread('brand.list', 'getPlan')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    add.mutate(
      { ...namesOf(typed), ...(site === NO_SITE ? {} : { site }) },
      {
        onSuccess: async ({ id }) => {
          reread()
          // The page of a brand opens only for brands that the session knows.
          await refetch()
          announce('Added. Now add questions that engines are asked.')
          await navigate({ to: '/brands/$brand/questions', params: { brand: id } } as never)
        },
      },
    )
  }
  return (
    <Panel title="Add a brand">
      <PanelBody>
        <form onSubmit={submit} className="space-y-8">
          <NameFields typed={typed} onChange={setTyped} />
          <SiteField selected={site} onSelect={setSite} />
          <FormError error={add.error} />
          <Button type="submit" kind="primary" forbidden={forbidden} aria-busy={add.isPending}>
            {add.isPending ? 'Adding' : 'Add the brand'}
          </Button>
        </form>
      </PanelBody>
    </Panel>
  )
}
