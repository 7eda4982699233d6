import Type from 'typebox'
import { CrawlerAuthority, Source } from '../meta.ts'
import { defineSiteOperation, type InputOf, type OutputOf } from '../operation.ts'
import { none } from '../parameters.ts'

export const getSources = defineSiteOperation({
  id: 'getSources',
  method: 'GET',
  path: '/v1/sites/{site}/sources',
  tag: 'Crawlers',
  summary: 'Sources of crawler evidence and their state',
  params: none,
  query: none,
  output: Type.Object(
    { sources: Type.Array(Source), authority: Type.Optional(CrawlerAuthority) },
    { title: 'Sources' },
  ),
  refusals: [400, 401, 404, 405, 500],
  mcp: { tool: 'get_sources' },
})
export type Sources = OutputOf<typeof getSources>
export type SourcesInput = InputOf<typeof getSources>
