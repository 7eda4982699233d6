import { type FormEvent, useState } from 'react'
import type { Brand } from '../../../src/contract/account-api/brands.ts'
import { NameFields } from '../../brand/name-fields.tsx'
import { aliasText, NO_NAMES, namesOf } from '../../brand/typed-names.ts'
import { useMayOnBrand } from '../../brand/use-may-edit.ts'
import { Button } from '../../controls/button.tsx'
import { ConfirmByTyping } from '../../forms/confirm-by-typing.tsx'
import { FormError } from '../../forms/form-error.tsx'
import { useChange } from '../../read/use-change.ts'
import { announce } from '../../shell/announce.tsx'
import { Panel } from '../../states/panel.tsx'
import { shortText, visibleText } from '../../words/foreign-text.ts'
import { type AliasRules, NAME_READS } from './names-panel.tsx'

type Competitor = Brand['competitors'][number]

/** The competitors that the brand is compared with. */
export function CompetitorsPanel({ brand, rules }: { brand: Brand; rules: AliasRules }) {
  const may = useMayOnBrand()
  const [removed, setRemoved] = useState<Competitor | null>(null)
  const remove = useChange('brand.competitor_remove', { changes: NAME_READS })
  return (
    <Panel title="Competitors" note={brand.competitors.length === 0 ? undefined : `${brand.competitors.length}`}>
      {brand.competitors.length === 0 && (
        <p className="px-8 pb-6 text-ink2 max-tablet:px-6">
          There are no competitors. Share of voice needs at least one.
        </p>
      )}
      <ul>
        {brand.competitors.map((one) => (
          <li
            key={one.id}
            className="flex flex-wrap items-center justify-between gap-6 border-t border-line px-8 py-5 max-tablet:px-6"
          >
            <span className="min-w-0">
              <span className="font-medium">{visibleText(one.name)}</span>
              <span className="block text-small text-ink2">{shortText(otherNames(one, rules), 200)}</span>
            </span>
            <Button
              kind="quiet"
              forbidden={may.administer}
              aria-label={`Remove ${visibleText(one.name)}`}
              onClick={() => setRemoved(one)}
            >
              Remove
            </Button>
          </li>
        ))}
      </ul>
      <AddCompetitor brand={brand.id} forbidden={may.administer} />
      {removed !== null && (
        <ConfirmByTyping
          title={`Remove ${visibleText(removed.name)}`}
          expected={null}
          action="Remove the competitor"
          is_open
          onClose={() => setRemoved(null)}
          onConfirm={async () => {
            await remove.mutateAsync({ brand: brand.id, competitor: removed.id })
            announce('Removed.')
          }}
        >
          Its mentions are removed from all reports, and share of voice is computed without it. Answers are kept.
        </ConfirmByTyping>
      )}
    </Panel>
  )
}

function otherNames({ id, aliases, domains }: Competitor, rules: AliasRules): string {
  const own = rules.competitors.find((one) => one.id === id)?.alias_rules ?? []
  return [...aliases.map((alias) => aliasText(alias, own)), ...domains].join(', ') || 'no other name, no domain'
}

function AddCompetitor({ brand, forbidden }: { brand: string; forbidden: string | undefined }) {
  const [typed, setTyped] = useState(NO_NAMES)
  const add = useChange('brand.competitor_add', { changes: NAME_READS })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    add.mutate({ brand, ...namesOf(typed) }, { onSuccess: () => setTyped(NO_NAMES) })
  }
  return (
    <details className="border-t border-line px-8 py-6 max-tablet:px-6">
      <summary className="link w-fit">Add a competitor</summary>
      <div className="pt-6">
        <form onSubmit={submit} className="space-y-8">
          <NameFields typed={typed} onChange={setTyped} />
          <FormError error={add.error} />
          <Button type="submit" forbidden={forbidden} aria-busy={add.isPending}>
            Add the competitor
          </Button>
        </form>
      </div>
    </details>
  )
}
