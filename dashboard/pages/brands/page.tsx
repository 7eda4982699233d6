import { useQuery } from '@tanstack/react-query'
import { mayOnBrand } from '../../brand/use-may-edit.ts'
import { Button } from '../../controls/button.tsx'
import { PageLink } from '../../controls/page-link.tsx'
import { FormError } from '../../forms/form-error.tsx'
import type { ReadOutput } from '../../read/operations.ts'
import { readQuery, sessionQuery } from '../../read/queries.ts'
import { useChange } from '../../read/use-change.ts'
import { AccountSettings } from '../../settings/account-settings.tsx'
import { announce } from '../../shell/announce.tsx'
import { Async, SkeletonRows } from '../../states/async.tsx'
import { Panel } from '../../states/panel.tsx'
import { ROW_LINK } from '../../tables/path-text.tsx'
import { visibleText } from '../../words/foreign-text.ts'
import { counted } from '../../words/numbers.ts'
import { AddBrand } from './add-brand.tsx'

export type ManagedBrand = ReadOutput<'brand.list'>['brands'][number]

/** The brands of the account that the person may read; admins also see archived ones. */
export function BrandsPage() {
  const { data: session } = useQuery(sessionQuery())
  const { administer } = mayOnBrand(session, null)
  const is_admin = session !== undefined && administer === undefined
  const brands = useQuery({ ...readQuery('brand.list', { with_archived: true }), enabled: is_admin })
  return (
    <AccountSettings title="Brands">
      {is_admin ? (
        <Panel title="Brands of the account">
          <Async query={brands} skeleton={<SkeletonRows rows={3} />}>
            {(answer) => <BrandList brands={answer.brands} />}
          </Async>
        </Panel>
      ) : (
        <Panel title="Your brands">
          <ul>
            {session?.brands.map(({ id, name }) => (
              <li key={id} className="relative border-t border-line px-8 py-5 max-tablet:px-6">
                <PageLink to="/brands/$brand/report" params={{ brand: id }} className={ROW_LINK}>
                  {visibleText(name)}
                </PageLink>
              </li>
            ))}
          </ul>
          {session?.brands.length === 0 && (
            <p className="px-8 pb-8 text-ink2 max-tablet:px-6">You do not have access to any brand. {administer}</p>
          )}
        </Panel>
      )}
      <AddBrand forbidden={administer} />
      {administer !== undefined && <p className="text-small text-ink2">Adding a brand: {administer}</p>}
    </AccountSettings>
  )
}

export function BrandList({ brands }: { brands: readonly ManagedBrand[] }) {
  const restore = useChange('brand.restore', { changes: ['brand.list', 'getSession', 'getPlan'] })
  if (brands.length === 0) {
    return (
      <p className="px-8 pb-8 text-ink2 max-tablet:px-6">
        No brand yet. With one, Spoor asks engines your questions and shows whether answers name and cite it.
      </p>
    )
  }
  return (
    <>
      <ul>
        {brands.map((brand) => (
          <li
            key={brand.id}
            className="relative flex flex-wrap items-center justify-between gap-6 border-t border-line px-8 py-5 max-tablet:px-6"
          >
            <span className="min-w-0">
              {brand.archived_at === null ? (
                <PageLink to="/brands/$brand/settings" params={{ brand: brand.id }} className={ROW_LINK}>
                  {visibleText(brand.name)}
                </PageLink>
              ) : (
                <span className="font-medium text-ink2">{visibleText(brand.name)}, archived</span>
              )}
              <span className="block text-small text-ink2">
                {brand.domains.map(visibleText).join(', ') || 'no domain'} ·{' '}
                {counted(brand.competitors.length, 'competitor')}
              </span>
            </span>
            {brand.archived_at !== null && (
              <Button
                className="relative z-10"
                onClick={() =>
                  restore.mutate(
                    { brand: brand.id },
                    { onSuccess: () => announce('Restored. Its questions are asked again.') },
                  )
                }
              >
                Restore
              </Button>
            )}
          </li>
        ))}
      </ul>
      <FormError error={restore.error} />
    </>
  )
}
