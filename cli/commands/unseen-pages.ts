/** Notes that no visitor was seen on a page of a definition: a wrong host looks like a page without visitors. */
import type { ManagementInput, ManagementOutput } from '#contract/management-api/index.ts'
import { messageOf } from '../errors.ts'
import type { RunOperation } from '../folder/client.ts'

export type NamedPage = ManagementInput<'page.unseen'>['pages'][number]

type UnseenPage = NonNullable<ManagementOutput<'page.unseen'>['unseen']>[number]

/** The notes on the pages of a definition, one per line. The definition is kept even if the pages cannot be checked. */
export async function unseenPageNotes(run: RunOperation, site: string, named: readonly NamedPage[]): Promise<string[]> {
  if (named.length === 0) return []
  try {
    const pages = named.map(({ hostname, path }) => ({ hostname, path }))
    const { unseen } = await run('page.unseen', { site, pages })
    return unseen === null ? [beforeEvents(pages)] : unseen.map(unseenText)
  } catch (error) {
    return [`Whether visitors saw its pages cannot be checked now: ${messageOf(error)}`]
  }
}

function beforeEvents(pages: readonly NamedPage[]): string {
  const named = [...new Set(pages.map(textOf))].join(', ')
  return `Note: no event has arrived yet, so it is unknown whether visitors see ${named}. Another host, such as www., is another page.`
}

function unseenText(page: UnseenPage): string {
  const unseen = `Note: no visitor was seen on ${textOf(page)}`
  if (page.seen.length === 0)
    return `${unseen}. That is expected if the page has had no visitors yet; otherwise check host and path.`
  return `${unseen}, but on ${page.seen.map(textOf).join(', ')}. If that page is meant, edit the definition and name it with its host.`
}

const textOf = ({ hostname, path }: NamedPage) => `${hostname}${path}`
