import type { Purpose } from '../../src/contract/vocabulary.ts'

/** `unknown` has other words than "Unknown", which is for numbers. */
export const PURPOSE_WORDS: Record<Purpose, string> = {
  search: 'Search',
  assistant: 'Assistant',
  training: 'Training',
  unknown: 'Undeclared',
}

/** In the order in which bars are stacked, from the baseline up, and legends list them. */
export const PURPOSE_STACK = ['assistant', 'search', 'training', 'unknown'] as const satisfies readonly Purpose[]

/** In the order of the chips. */
export const PURPOSE_CHIPS = ['search', 'assistant', 'unknown', 'training'] as const satisfies readonly Purpose[]

export const PURPOSE_COLORS: Record<Purpose, string> = {
  search: 'var(--color-search)',
  assistant: 'var(--color-assistant)',
  training: 'var(--color-training)',
  unknown: 'var(--color-undeclared)',
}
