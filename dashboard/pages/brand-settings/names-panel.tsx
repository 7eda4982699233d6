import { type FormEvent, useState } from 'react'
import type { Brand } from '../../../src/contract/account-api/brands.ts'
import { NameFields } from '../../brand/name-fields.tsx'
import { NO_SITE, SiteField } from '../../brand/site-field.tsx'
import { namesOf, typedNames } from '../../brand/typed-names.ts'
import { useMayOnBrand } from '../../brand/use-may-edit.ts'
import { Button } from '../../controls/button.tsx'
import { FormError } from '../../forms/form-error.tsx'
import type { ReadOutput } from '../../read/operations.ts'
import { useChange } from '../../read/use-change.ts'
import { announce } from '../../shell/announce.tsx'
import { Panel, PanelBody } from '../../states/panel.tsx'

/** The operations whose numbers depend on the names. */
export const NAME_READS = [
  'getBrand',
  'getAliasRules',
  'getSession',
  'brand.list',
  'getBrandReport',
  'listAnswers',
  'getUrlReport',
] as const

export type AliasRules = ReadOutput<'getAliasRules'>

export function NamesPanel({ brand, rules }: { brand: Brand; rules: AliasRules }) {
  const may = useMayOnBrand()
  const [typed, setTyped] = useState(() => typedNames(brand, rules.alias_rules))
  const [site, setSite] = useState(brand.site_id ?? NO_SITE)
  const edit = useChange('brand.edit', { changes: NAME_READS })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    edit.mutate(
      { brand: brand.id, ...namesOf(typed), site: site === NO_SITE ? null : site },
      { onSuccess: () => announce('Saved. Stored answers are searched again with these names.') },
    )
  }
  return (
    <Panel title="Names">
      <PanelBody>
        <form onSubmit={submit} className="space-y-8">
          <NameFields typed={typed} onChange={setTyped} />
          <SiteField selected={site} onSelect={setSite} />
          <p className="text-small text-ink2">
            Members of the site can see the brand, and its URLs show crawler requests. After names are changed, all
            stored answers are searched again; no engine is asked.
          </p>
          <FormError error={edit.error} />
          <Button type="submit" kind="primary" forbidden={may.administer} aria-busy={edit.isPending}>
            {edit.isPending ? 'Saving' : 'Save names'}
          </Button>
        </form>
      </PanelBody>
    </Panel>
  )
}
