import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Brand } from '../../../src/contract/account-api/brands.ts'
import { useMayOnBrand } from '../../brand/use-may-edit.ts'
import { Button } from '../../controls/button.tsx'
import { ConfirmByTyping } from '../../forms/confirm-by-typing.tsx'
import type { ReadOutput } from '../../read/operations.ts'
import { readQuery } from '../../read/queries.ts'
import { useChange } from '../../read/use-change.ts'
import { announce } from '../../shell/announce.tsx'
import { Panel, PanelBody } from '../../states/panel.tsx'
import { visibleText } from '../../words/foreign-text.ts'
import { counted } from '../../words/numbers.ts'

const CHANGES = ['getSession', 'brand.list', 'getPlan'] as const

/** Archiving, which can be undone, and deleting, which cannot. */
export function EndPanel({ brand }: { brand: Brand }) {
  const may = useMayOnBrand()
  const navigate = useNavigate()
  const [confirming, setConfirming] = useState<'archive' | 'remove' | null>(null)
  const archive = useChange('brand.archive', { changes: CHANGES })
  const remove = useChange('brand.remove', { changes: CHANGES })
  const contents = useQuery({
    ...readQuery('brand.contents', { brand: brand.id }),
    enabled: confirming === 'remove',
  }).data
  const close = () => setConfirming(null)
  const name = visibleText(brand.name)
  const leave = async (said: string) => {
    announce(said)
    await navigate({ to: '/settings/brands' } as never)
  }
  return (
    <Panel title="Archive or delete">
      <PanelBody>
        <div className="flex flex-wrap gap-4">
          <Button forbidden={may.administer} onClick={() => setConfirming('archive')}>
            Archive the brand
          </Button>
          <Button kind="bad" forbidden={may.administer} onClick={() => setConfirming('remove')}>
            Delete the brand
          </Button>
        </div>
      </PanelBody>
      {confirming === 'archive' && (
        <ConfirmByTyping
          title={`Archive ${name}`}
          expected={null}
          action="Archive the brand"
          is_open
          onClose={close}
          onConfirm={async () => {
            await archive.mutateAsync({ brand: brand.id })
            await leave(`${name} is archived. Its answers are kept.`)
          }}
        >
          Its questions are no longer asked, and it is hidden in this dashboard and the API. An admin can restore it.
        </ConfirmByTyping>
      )}
      {confirming === 'remove' && (
        <ConfirmByTyping
          title={`Delete ${name}`}
          expected={brand.name}
          action="Delete the brand"
          is_open
          onClose={close}
          onConfirm={async () => {
            await remove.mutateAsync({ brand: brand.id, typed_name: brand.name })
            await leave(`${name} is deleted.`)
          }}
        >
          {lossWords(contents)} All of it is deleted for good.
        </ConfirmByTyping>
      )}
    </Panel>
  )
}

/** What is deleted with the brand; without counts while they are being read, or if they cannot be read. */
function lossWords(contents: ReadOutput<'brand.contents'> | undefined): string {
  if (contents === undefined)
    return 'Its questions with every answer, its competitors, search data and fixes are deleted too.'
  const { questions, answers, competitors, fixes } = contents
  const parts = [counted(questions, 'question'), counted(answers, 'answer'), counted(competitors, 'competitor')]
  return `${parts.join(', ')}, ${counted(fixes, 'fix', 'fixes')} and all search data are deleted too.`
}
