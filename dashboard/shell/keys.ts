import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import type { Search } from '../read/search.ts'
import { keptSearch } from './kept-search.ts'
import { BRAND_ITEMS, SITE_GROUPS } from './navigation-items.ts'
import type { ShownSubjects } from './shown-subjects.ts'

/** Single-key shortcuts, which the dialog of `?` lists. */
export const KEY_WORDS = [
  ['⌘ K, Ctrl K', 'Find a page, site or action'],
  [
    'g, then o c p i a s v f r',
    'Overview, Crawlers, Top pages, Issues, Access check, Sources, Visits, Funnels, Report',
  ],
  ['1 to 6', 'Windows, the shortest first'],
  ['[ and ]', 'Previous and next day'],
  ['t', 'Chart or table'],
  ['/', 'Filter the rows'],
  ['e', 'Export'],
  ['?', 'These keys'],
] as const

const SWITCH = 'spoor_keys'

export function areKeysOn(): boolean {
  try {
    return localStorage.getItem(SWITCH) !== 'off'
  } catch {
    return true
  }
}

/** @throws DOMException where the browser stores nothing. */
export function switchKeys(is_on: boolean): void {
  if (is_on) localStorage.removeItem(SWITCH)
  else localStorage.setItem(SWITCH, 'off')
}

interface KeyActions {
  params: ShownSubjects
  onFind: () => void
  onHelp: () => void
}

const SECOND_KEY_MS = 1_500

/** Handles keys outside of fields and dialogs. Every key has a control that does the same. */
export function useKeys(actions: KeyActions): void {
  const router = useRouter()
  const latest = useRef(actions)
  latest.current = actions
  useEffect(() => {
    let g_at = 0
    const onKeyDown = (event: KeyboardEvent) => {
      const { onFind, onHelp, params } = latest.current
      if ((event.metaKey || event.ctrlKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault()
        onFind()
        return
      }
      if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target) || !areKeysOn()) return
      const is_second = Date.now() - g_at < SECOND_KEY_MS
      g_at = event.key === 'g' ? Date.now() : 0
      const to = is_second ? pageOfKey(event.key, params) : undefined
      if (to !== undefined && to in router.routesByPath) {
        const search = keptSearch(to, router.state.location.search as Search)
        void router.navigate({ to, params, search } as never)
      } else if (event.key === '?') onHelp()
      else if (event.key === '[' || event.key === ']') moveDay(event.key === '[' ? -1 : 1)
      else if (!pressControl(event.key)) return
      event.preventDefault()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)

    function moveDay(step: 1 | -1) {
      const chart = document.querySelector<HTMLElement>('[data-days]')
      const days = chart?.dataset.days?.split(' ') ?? []
      const { day } = router.state.location.search as { day?: string }
      const next = day === undefined ? days.at(-1) : days[days.indexOf(day) + step]
      if (next === undefined) return
      const search = (before: object) => ({ ...before, day: next })
      void router.navigate({ to: '.', search: search as never, replace: true, resetScroll: false })
    }
  }, [router])
}

/** The path of the page that `g` and this key lead to; undefined for other keys, and without a site or a brand. */
export function pageOfKey(key: string, { site, brand }: ShownSubjects): string | undefined {
  const items = [
    ...(site === undefined ? [] : SITE_GROUPS.flatMap((group) => group.items)),
    ...(brand === undefined ? [] : BRAND_ITEMS),
  ]
  return items.find((item) => item.key === key)?.to
}

/** Focuses the field, or presses the control, that has this key. */
function pressControl(key: string): boolean {
  const control = document.querySelector<HTMLElement>(`main [data-key="${CSS.escape(key)}"]`)
  if (control === null) return false
  if (control instanceof HTMLInputElement) control.focus()
  else control.click()
  return true
}

const isTyping = (target: EventTarget | null) =>
  target instanceof Element &&
  target.closest('input, textarea, select, [contenteditable], [role="dialog"], [role="listbox"], [role="menu"]') !==
    null
