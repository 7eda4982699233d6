import type { ControlDb } from '#control/store.ts'
import type { SourceRow } from '#control/tables.ts'
import { quoted } from '#foreign-text.ts'
import { Refusal } from '#refusal.ts'

/**
 * Finds a source by its id, else by its name, else, within a given site, by its type if the site has one of that type.
 * @throws Refusal not_found: none matches, or several of the site (the message lists its sources); conflict: several
 * match without a site.
 */
export async function findSource(db: ControlDb, text: string, site_id?: string): Promise<SourceRow> {
  const all = db.selectFrom('sources').selectAll().orderBy('id')
  const wanted = text.toLowerCase()
  const sources = await (site_id === undefined
    ? all.where((is) => is.or([is('id', '=', wanted), is('name', '=', text)]))
    : all.where('site_id', '=', site_id)
  ).execute()
  const matching = [
    sources.filter((source) => source.id === wanted),
    sources.filter((source) => source.name !== '' && source.name === text),
    sources.filter((source) => site_id !== undefined && source.source_type === wanted),
  ].find((found) => found.length > 0)
  const [source, second] = matching ?? []
  if (source !== undefined && second === undefined) return source
  if (site_id !== undefined) throw notOfSite(text, source === undefined, sources)
  const next = { step: 'source.list' } as const
  if (source === undefined)
    throw new Refusal('not_found', `No source has the id or name ${quoted(text)}: {next} shows all of a site.`, {
      next,
    })
  throw new Refusal(
    'conflict',
    `Several sources are called ${quoted(text)}: address the source by its id, which {next} shows.`,
    { next },
  )
}

function notOfSite(text: string, isMissing: boolean, sources: readonly SourceRow[]): Refusal {
  const listed = sources.map(({ id, source_type, name }) => `${id} (${[source_type, name].join(' ').trim()})`)
  const fault = isMissing ? `The site has no source ${text}` : `Several sources of the site are called ${text}`
  const advice = listed.length === 0 ? 'it has none yet' : `give one of these ids: ${listed.join(', ')}`
  return new Refusal('not_found', `${fault}: ${advice}.`)
}
