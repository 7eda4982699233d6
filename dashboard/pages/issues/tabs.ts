import { ISSUE_STATES, LIFE_STATES, type LifeState } from '../../../src/contract/vocabulary.ts'
import type { Search } from '../../read/search.ts'

interface Tab {
  label: string
  states: readonly LifeState[]
}

/** Values of `group`, the first being the default. */
export const TABS = {
  current: { label: 'Current', states: ISSUE_STATES },
  open: { label: 'Open', states: ['open'] },
  regressed: { label: 'Came back', states: ['regressed'] },
  fix_detected: { label: 'Fix detected', states: ['fix_detected'] },
  ended: {
    label: 'Ended',
    states: LIFE_STATES.filter((state) => !(ISSUE_STATES as readonly LifeState[]).includes(state)),
  },
} as const satisfies Record<string, Tab>

export type TabKey = keyof typeof TABS
export const TAB_KEYS = Object.keys(TABS) as TabKey[]

/** Rows at first, and rows after "Show more". */
export const FEW = 8
export const MANY = 50

export const tabOf = ({ group }: Search): TabKey => (group ?? 'current') as TabKey

/** The input from the address. */
export const listInput = (site: string, search: Search & { offset?: string }) => ({
  site,
  state: [...TABS[tabOf(search)].states],
  limit: Number(search.limit ?? FEW),
  offset: search.offset === undefined ? FROM_START : Number(search.offset),
})
const FROM_START = 0
