import type { ControlDb } from '#control/store.ts'
import type { SourceRow } from '#control/tables.ts'
import { Refusal } from '#refusal.ts'

/**
 * A source of a site by id, by its own name, or by its type where the site has only one of it.
 * @throws Refusal not_found (none, or several: the detail lists what there is).
 */
export async function findSource(db: ControlDb, site_id: string, text: string): Promise<SourceRow> {
  const sources = await db.selectFrom('sources').selectAll().where('site_id', '=', site_id).orderBy('id').execute()
  const wanted = text.toLowerCase()
  const matching = [
    sources.filter((source) => source.id === wanted),
    sources.filter((source) => source.server !== '' && source.server === text),
    sources.filter((source) => source.source_type === wanted),
  ].find((found) => found.length > 0)
  const [source, second] = matching ?? []
  if (source !== undefined && second === undefined) return source
  const listed = sources.map(({ id, source_type, server }) => `${id} (${[source_type, server].join(' ').trim()})`)
  const fault =
    source === undefined ? `The site has no source ${text}` : `Several sources of the site are called ${text}`
  const advice = listed.length === 0 ? 'it has none yet' : `give one of these ids: ${listed.join(', ')}`
  throw new Refusal('not_found', `${fault}: ${advice}.`)
}
