/** What agents may read besides tools: the words that answers use, and both APIs (account API 6). */
import { readFileSync } from 'node:fs'
import type { ReadResourceResult, Resource } from '@modelcontextprotocol/server'
import { accountApiDocument } from '../http/reference/account-api.ts'
import type { ReferenceOptions } from '../http/reference/reference.ts'
import { siteApiDocument } from '../http/reference/site-api.ts'

interface ServedResource extends Resource {
  mimeType: string
  text(options: ReferenceOptions): string
}

const RESOURCES: readonly ServedResource[] = [
  {
    uri: 'spoor://glossary',
    name: 'glossary',
    title: 'Glossary',
    description: 'The words that answers use, in Markdown.',
    mimeType: 'text/markdown',
    text: () => readFileSync(new URL('../../../GLOSSARY.md', import.meta.url), 'utf8'),
  },
  {
    uri: 'spoor://openapi/account-api',
    name: 'account-api',
    title: 'OpenAPI document of the account API',
    mimeType: 'application/json',
    text: ({ support_email, has_deprecated_routes }) =>
      JSON.stringify(accountApiDocument(support_email, has_deprecated_routes)),
  },
  {
    uri: 'spoor://openapi/site-api',
    name: 'site-api',
    title: 'OpenAPI document of the site API',
    mimeType: 'application/json',
    text: ({ support_email }) => JSON.stringify(siteApiDocument(support_email)),
  },
]

/** The resources without their texts. */
export const listResources = (): Resource[] => RESOURCES.map(({ text: _text, ...resource }) => resource)

/** Null: there is no such resource. */
export function readResource(uri: string, options: ReferenceOptions): ReadResourceResult | null {
  const found = RESOURCES.find((resource) => resource.uri === uri)
  if (found === undefined) return null
  return { contents: [{ uri, mimeType: found.mimeType, text: found.text(options) }] }
}
