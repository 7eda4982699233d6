import Type from 'typebox'
import { CrawlerAuthority, Source } from '../meta.ts'
import { defineSiteOperation, type InputOf, type OutputOf } from '../operation.ts'
import { crawlerRead, none } from '../parameters.ts'

export const getSources = defineSiteOperation({
  id: 'getSources',
  ...crawlerRead,
  path: '/v1/sites/{site}/sources',
  summary: 'Sources of crawler evidence and their state',
  query: none,
  output: Type.Object(
    { sources: Type.Array(Source), authority: Type.Optional(CrawlerAuthority) },
    { title: 'Sources' },
  ),
  mcp: { tool: 'get_sources' },
})
export type Sources = OutputOf<typeof getSources>
export type SourcesInput = InputOf<typeof getSources>
