import { useRouter } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useId, useMemo, useState } from 'react'
import { Dialog, Modal, ModalOverlay } from 'react-aria-components'
import type { Session } from '../read/operations.ts'
import { useReportSearch } from '../read/use-report.ts'
import { visibleText } from '../words/foreign-text.ts'
import { keptSearch } from './kept-search.ts'
import { foundEntries, type PaletteEntry, paletteEntries } from './palette-entries.ts'
import { recentKeys, rememberKey } from './recent-pages.ts'
import type { ShownSubjects } from './shown-subjects.ts'
import { chooseTheme } from './theme.ts'

interface PaletteProps extends ShownSubjects {
  session: Session
  onClose: () => void
  /** Opens the list of keys in its place. */
  onKeys: () => void
}

const MAX_SHOWN = 12

/** Finds pages, sites, brands and actions by name. Actions without permission are listed with who can do them. */
export default function Palette(props: PaletteProps) {
  const { onClose } = props
  return (
    <ModalOverlay
      isOpen
      isDismissable
      onOpenChange={(open) => !open && onClose()}
      className="shown-at-once fixed inset-x-0 top-0 z-30 flex h-(--visual-viewport-height) items-start justify-center bg-scrim p-8 tablet:pt-48"
    >
      <Modal className="panel shown-at-once flex max-h-full w-full max-w-260 flex-col overflow-hidden shadow-layer">
        <Dialog aria-label="Find a page, site or action" className="flex min-h-0 flex-col outline-none">
          <Finder {...props} />
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}

/** Separate from its dialog, so that typing renders only the list. */
function Finder({ session, site, brand, onClose, onKeys }: PaletteProps) {
  const router = useRouter()
  const search = useReportSearch()
  const [text, setText] = useState('')
  const [active, setActive] = useState(0)
  const list_id = useId()
  const entries = useMemo(
    () => paletteEntries({ session, site, brand, exists: (to) => to in router.routesByPath }),
    [session, site, brand, router],
  )
  const ordered = useMemo(() => recentFirst(entries), [entries])
  const found = foundEntries(text === '' ? ordered : entries, text).slice(0, MAX_SHOWN)
  const active_id = `${list_id}-${active}`
  useEffect(() => {
    document.getElementById(active_id)?.scrollIntoView({ block: 'nearest' })
  }, [active_id])
  const choose = (entry: PaletteEntry | undefined) => {
    if (entry === undefined || entry.forbidden !== undefined) return
    rememberKey(entry.key)
    onClose()
    const { target } = entry
    if ('theme' in target) chooseTheme(target.theme)
    else if ('dialog' in target) onKeys()
    else void router.navigate({ search: keptSearch(target.to, search), ...target } as never)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // These keys choose a word of an input method, such as that for Japanese.
    if (event.nativeEvent.isComposing) return
    if (event.key === 'ArrowDown') setActive((active + 1) % Math.max(1, found.length))
    else if (event.key === 'ArrowUp') setActive((active + found.length - 1) % Math.max(1, found.length))
    else if (event.key === 'Enter') choose(found[active])
    else return
    event.preventDefault()
  }
  return (
    <>
      <input
        // biome-ignore lint/a11y/noAutofocus: the field is why the dialog was opened
        autoFocus
        type="text"
        role="combobox"
        aria-expanded="true"
        aria-controls={list_id}
        aria-activedescendant={found[active] === undefined ? undefined : active_id}
        aria-label="Find"
        placeholder="Find a page, site or action"
        className="h-24 w-full shrink-0 border-b border-line bg-panel px-8 text-body outline-none"
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          setActive(0)
        }}
        onKeyDown={onKeyDown}
      />
      <div id={list_id} role="listbox" aria-label="Found" className="max-h-200 min-h-0 overflow-y-auto p-3">
        {found.map((entry, index) => (
          <div
            key={entry.key}
            id={`${list_id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            aria-disabled={entry.forbidden !== undefined}
            onClick={() => choose(entry)}
            onKeyDown={onKeyDown}
            onPointerMove={() => setActive(index)}
            className={`flex min-h-17 cursor-pointer items-center justify-between gap-8 rounded-control px-5 touch:min-h-22 ${index === active ? 'bg-sunken' : ''}`}
          >
            <span className={entry.forbidden === undefined ? 'truncate' : 'truncate text-ink3'}>
              {visibleText(entry.label)}
            </span>
            <span className="shrink-0 text-small text-ink3">{entry.forbidden ?? visibleText(entry.group)}</span>
          </div>
        ))}
      </div>
      {found.length === 0 && <p className="px-8 pb-8 text-ink2">Nothing matches.</p>}
    </>
  )
}

function recentFirst(entries: readonly PaletteEntry[]): PaletteEntry[] {
  const recent = recentKeys()
  return [
    ...recent.flatMap((key) => entries.filter((entry) => entry.key === key)),
    ...entries.filter(({ key }) => !recent.includes(key)),
  ]
}
