/** Says beside a definition that nobody was seen on a page of it: a wrong host looks like a page that nobody visits. */
import type { ManagementOutput } from '#contract/management-api/index.ts'
import { note } from './output.ts'
import type { Reach } from './reach.ts'

export interface NamedPage {
  hostname: string
  path: string
}

type Unseen = NonNullable<ManagementOutput<'page.unseen'>['unseen']>[number]

/** What there is to tell of the pages of a definition, line by line. The definition stands; that this cannot be known changes nothing. */
export async function lookUpPages(way: Reach, site: string, pages: readonly NamedPage[]): Promise<string[]> {
  if (pages.length === 0) return []
  try {
    const asked = pages.map(({ hostname, path }) => ({ hostname, path }))
    const { unseen } = await way.run('page.unseen', { site, pages: asked })
    return unseen === null ? [beforeEvents(pages)] : unseen.map(unseenText)
  } catch (error) {
    return [`Whether its pages were seen cannot be told now: ${error instanceof Error ? error.message : String(error)}`]
  }
}

export function tellUnseen(lines: readonly string[]): void {
  for (const line of lines) note(line)
}

function beforeEvents(pages: readonly NamedPage[]): string {
  const named = [...new Set(pages.map(textOf))].join(', ')
  return `Note: no event has come yet, so it is not known whether visitors see ${named}. Another host, such as www., is another page.`
}

function unseenText(page: Unseen): string {
  const told = `Note: no visitor was seen on ${textOf(page)}`
  if (page.seen.length === 0) return `${told}. Right if nobody has come there yet; otherwise look at host and path.`
  return `${told}, but on ${page.seen.map(textOf).join(', ')}. If that page is meant, edit the definition and name it with its host.`
}

const textOf = ({ hostname, path }: NamedPage) => `${hostname}${path}`
