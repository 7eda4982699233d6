/** The crawler registry of the installation, and the published lists of addresses that it names. */
import Type from 'typebox'
import { Count, Instant, oneOf, orNull } from '../fields.ts'
import { IDENTITIES } from '../vocabulary.ts'
import { onInstallation } from './define.ts'

const version = Type.String()
const identityCounts = Object.fromEntries(IDENTITIES.map((identity) => [identity, Count])) as {
  [I in (typeof IDENTITIES)[number]]: typeof Count
}
const CrawlerHistory = Type.Object({
  requests: Count,
  purpose: Type.String(),
  identities: Type.Object(identityCounts),
})
const Adoption = Type.Object({
  before: orNull(version),
  after: version,
  /** Crawlers whose requests, purpose or identities differ, over all sites and all history. */
  changes: Type.Array(
    Type.Object({ crawler_id: Type.String(), before: orNull(CrawlerHistory), after: orNull(CrawlerHistory) }),
  ),
})

const KeptList = Type.Object({
  list_id: Type.String(),
  sha256: Type.String(),
  prefixes: Count,
  is_new: Type.Boolean(),
  /** Epoch milliseconds. */
  published_at: orNull(Type.Integer()),
  is_whole_as: Type.Boolean(),
})

const ListSummary = Type.Object({
  id: Type.String(),
  /** Short for the id. */
  code: Type.String(),
  crawlers: Type.Array(Type.String()),
  /** `never`: no content was ever held. `stale`: not confirmed for 7 days. `whole_as`: proves nothing. */
  state: oneOf(['in_force', 'stale', 'never', 'whole_as']),
  versions: Count,
  prefixes: orNull(Count),
  sha256: orNull(Type.String()),
  published_at: orNull(Instant),
  loaded_at: orNull(Instant),
  confirmed_at: orNull(Instant),
  failure: orNull(Type.String()),
})

export const registryOperations = [
  onInstallation('registry.show', 'The registry in force and every loaded version', {
    output: Type.Object({
      version,
      entries: Count,
      /** Entries by declared purpose. */
      purposes: Type.Record(Type.String(), Count),
      versions: Type.Array(Type.Object({ version, sha256: Type.String(), loaded_at: Instant })),
      /** What the switch to the version in force changed, and when; null where a release brought it. */
      last_adoption: orNull(Type.Object({ ...Adoption.properties, adopted_at: Instant })),
    }),
  }),
  onInstallation('registry.update', 'Load a registry document and put it in force', {
    effect: 'write',
    /** The document itself: the server opens no path that it is given. */
    input: { document: Type.String() },
    output: Adoption,
  }),
  onInstallation('registry.fetch', 'Load a registry document from a URL and put it in force', {
    effect: 'write',
    input: { url: Type.String() },
    output: Adoption,
  }),
  onInstallation('registry.use', 'Put a loaded version in force, newer or older', {
    effect: 'write',
    input: { version },
    output: Adoption,
  }),
  onInstallation('registry.lists.list', 'Every list of addresses that the registry names, with the content held now', {
    output: Type.Object({ lists: Type.Array(ListSummary) }),
  }),
  onInstallation('registry.lists.import', 'Store a published list of addresses', {
    effect: 'write',
    /** The document itself in base64, because a web page may be in any encoding. */
    input: { list: Type.String(), document: Type.String(), is_whole_as: Type.Boolean() },
    output: KeptList,
  }),
  onInstallation('registry.lists.remove', 'Forget everything held of a list', {
    effect: 'write',
    input: { list: Type.String() },
    output: Type.Object({ list_id: Type.String(), versions: Count }),
  }),
  onInstallation('registry.lists.update', 'Load every named list from its vendor now', {
    effect: 'write',
    output: Type.Object({
      lists: Type.Array(Type.Union([KeptList, Type.Object({ list_id: Type.String(), failure: Type.String() })])),
    }),
  }),
] as const
