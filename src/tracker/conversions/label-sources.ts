/** Labels the sources of converted sessions at read, so that newer lists apply to old sessions (rules 6, Channels). */
import { CONVERSION_DIMENSIONS, CONVERSION_SOURCES } from '#contract/site-api/conversions.ts'
import { aiReferralOf, channelOf } from '../acquisition/channels.ts'
import { readOrigin } from '../acquisition/origins.sql.ts'

/** As stored: `identity` is a JSON list for the dimension `origin`, and the value for a UTM dimension. */
interface StoredSource {
  dimension: string
  identity: string
  converted_sessions: number
}

type Dimension = (typeof CONVERSION_DIMENSIONS)[number]

interface LabelledSources {
  sources: { dimension: Dimension; identity: string; converted_sessions: number }[]
  sources_truncated: boolean
}

/** The sources of a conversion's sessions (`ConversionCount`). */
interface CountedSources {
  converted_sessions: number
  sources: ReadonlyMap<string, StoredSource>
  cut: ReadonlySet<string>
}

/** Labels for one answer, cached because its conversions share most origins. `site_domain` is the site's domain. */
export function sourceLabeller(site_domain: string): (counted: CountedSources | null) => LabelledSources {
  const labels = new Map<string, OriginLabels>()
  const labelOf = (identity: string): OriginLabels => {
    const known = labels.get(identity)
    if (known !== undefined) return known
    const origin = readOrigin(identity)
    const found = { channel: channelOf(origin, site_domain), ai_platform: aiReferralOf(origin)?.platform ?? null }
    labels.set(identity, found)
    return found
  }
  return (counted) => (counted === null ? { sources: [], sources_truncated: false } : labelSources(counted, labelOf))
}

interface OriginLabels {
  channel: string
  ai_platform: string | null
}

/** By dimension, then most sessions first. Sessions whose origin is not distinguished have an unknown channel. */
function labelSources(
  { converted_sessions: all, sources, cut }: CountedSources,
  labelOf: (identity: string) => OriginLabels,
): LabelledSources {
  const sums = new Map(CONVERSION_DIMENSIONS.map((dimension) => [dimension, new Map<string, number>()]))
  const add = (dimension: Dimension, identity: string, sessions: number) => {
    const sum = sums.get(dimension) as Map<string, number>
    const known = sum.get(identity)
    sum.set(identity, known === undefined ? sessions : known + sessions)
  }
  let unpublished = all
  for (const { dimension, identity, converted_sessions } of sources.values()) {
    if (dimension === 'origin') {
      unpublished -= converted_sessions
      const { channel, ai_platform } = labelOf(identity)
      add('channel', channel, converted_sessions)
      if (ai_platform !== null) add('ai_platform', ai_platform, converted_sessions)
    } else add(dimension as Dimension, identity, converted_sessions)
  }
  if (cut.has('origin') && unpublished > 0) add('channel', 'unknown', unpublished)
  const lists = [...sums].map(([dimension, sum]) =>
    [...sum]
      .map(([identity, converted_sessions]) => ({ dimension, identity, converted_sessions }))
      .sort((a, b) => b.converted_sessions - a.converted_sessions || (a.identity < b.identity ? -1 : 1)),
  )
  return {
    sources: lists.flatMap((list) => list.slice(0, CONVERSION_SOURCES)),
    sources_truncated: cut.size > 0 || lists.some((list) => list.length > CONVERSION_SOURCES),
  }
}
