import type { PathClass } from '../../../src/contract/vocabulary.ts'
import type { ReadInput } from '../../read/operations.ts'
import { readQuery } from '../../read/queries.ts'

/** Values of `group`, the first being the default. */
export const CLASSES = ['all', 'content', 'infrastructure'] as const

type PagesQuery = ReturnType<typeof readQuery<'getTopPages'>>

/** The pages with the most requests, of all classes or of one. Shares within a class are of its requests. */
export const pagesQuery = (input: ReadInput<'getTopPages'>, group: string): PagesQuery =>
  group === CLASSES[0]
    ? readQuery('getTopPages', input)
    : (readQuery('getTopPagesOfClass', { ...input, path_class: group as PathClass }) as unknown as PagesQuery)
