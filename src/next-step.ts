/** The step that helps a caller, named by the domain and worded by each surface: a command, a button, a call. */

type Nothing = Record<never, never>

/** Every step with what it needs to be worded. Most are operations, by their ids. */
interface Steps {
  'alert.list': Nothing
  'alert.remove': Nothing
  'brand.list': Nothing
  'brand.show': Nothing
  'engine.accept_terms': Nothing
  'engine.budget': Nothing
  'engine.list': Nothing
  'engine.set_key': Nothing
  'gate.set': { gate: string }
  'issue.intended_list': Nothing
  'issue.list': Nothing
  'key.list': Nothing
  'member.list': Nothing
  'member.set_role': Nothing
  'node.list': Nothing
  'node.lost': Nothing
  'property.add': Nothing
  'property.edit': Nothing
  'property.list': Nothing
  'registry.lists.import': Nothing
  'registry.lists.list': Nothing
  'registry.show': Nothing
  'registry.use': Nothing
  'report.crawlers': Nothing
  'scan.cancel': Nothing
  'search_data.list': Nothing
  'site.add': { root_domain: string }
  'site.aliases': { root_domain: string; alias: string }
  'site.list': Nothing
  'site.retention': Nothing
  'source.connect': Nothing
  'source.disconnect': { source_id: string }
  'source.list': Nothing
  'source.reconnect': { source_id: string | null }
  'source.retire': { source_id: string }
  'source.token_create': Nothing
  'source.token_list': Nothing
  'token.create': Nothing
  'token.list': Nothing
  'token.revoke': Nothing
  'tracker.enable': Nothing
  'tracker.key_list': Nothing
  'tracker.origin_add': { root_domain: string; origin: string }
  'tracker.origin_list': Nothing
  'tracker.show': Nothing
  'user.list': Nothing
  'user.reset_link': Nothing
  add_operator: Nothing
  back_up: Nothing
  diagnose: Nothing
  /** An unnamed upload beside named ones: its days become a named server's, or it ends. */
  end_unnamed_upload: { source_id: string; server: string }
  /** A site that the operator named by a domain, which may be misspelt or not added yet. */
  find_or_add_site: { root_domain: string }
  /** `unpacker` writes what it unpacked to its output. */
  import_unpacked: { unpacker: string }
  list_definitions: { what: 'conversion' | 'funnel' }
  /** Of the old data folder, with the settings of the targets. */
  migrate_to: Nothing
  restore: Nothing
  serve: Nothing
  /** `clock`: the instant; null: a later one. */
  serve_at: { clock: string | null }
}

export type StepName = keyof Steps
export type NextStep = { [S in StepName]: { step: S } & Steps[S] }[StepName]
/** How a surface words each step. */
export type StepWords = { readonly [S in StepName]: string | ((step: Steps[S]) => string) }

/** A sentence of the domain with the placeholder `{next}` for the words of the step. */
export interface Advised {
  readonly message: string
  readonly next?: NextStep | undefined
}

const PLACEHOLDER = '{next}'

/** The sentence without the step, for readers who take it anyway. */
export const withoutStep = ({ message, next }: Advised): string =>
  next === undefined ? message : `${message.slice(0, message.lastIndexOf(';'))}.`

/** The sentence with the surface's words for the step. */
export function wordAdvice({ message, next }: Advised, words: StepWords): string {
  if (next === undefined) return message
  const wording = words[next.step] as string | ((step: NextStep) => string)
  // The last one, because the text before it may quote a given value.
  const at = message.lastIndexOf(PLACEHOLDER)
  if (at === -1) throw new Error(`the sentence has no placeholder for the step ${next.step}: ${message}`)
  const worded = typeof wording === 'string' ? wording : wording(next)
  return message.slice(0, at) + worded + message.slice(at + PLACEHOLDER.length)
}
