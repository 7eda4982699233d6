/** The commands that the steps of the domain are, in the words of whoever works at the machine. */
import { type Advised, type StepWords, wordAdvice } from '#next-step.ts'

const COMMANDS: StepWords = {
  'alert.list': 'spoor alert list SITE',
  'alert.remove': 'spoor alert remove',
  'brand.list': 'spoor brand list',
  'search_data.list': 'spoor search-data list',
  'brand.show': 'spoor brand show BRAND',
  'gate.set': ({ gate }) => `spoor gate set SITE ${gate} on`,
  'member.list': 'spoor member list SITE',
  'member.set_role': 'spoor member set-role SITE',
  'property.add': 'spoor property add',
  'property.edit': 'spoor property edit',
  'property.list': 'spoor property list SITE',
  'registry.lists.import': 'spoor registry lists import FILE --list ID',
  'registry.lists.list': 'spoor registry lists list',
  'registry.show': 'spoor registry show',
  'registry.use': 'spoor registry use VERSION',
  'site.list': 'spoor site list',
  'site.retention': 'spoor site retention',
  'source.connect': 'spoor source connect SITE --zone',
  'source.disconnect': ({ source_id }) => `spoor source disconnect ${source_id}`,
  'source.reconnect': ({ source_id }) => ['spoor source reconnect', source_id].filter(Boolean).join(' '),
  'source.retire': ({ source_id }) => `spoor source retire ${source_id}`,
  'source.token_create': 'spoor source token create SOURCE',
  'token.create': 'spoor token create --name NAME --scope read',
  'token.list': 'spoor token list',
  'token.revoke': 'spoor token revoke TOKEN',
  'tracker.enable': 'spoor tracker enable SITE',
  'tracker.origin_add': ({ root_domain, origin }) => `spoor tracker origin add ${root_domain} ${origin}`,
  'tracker.show': 'spoor tracker show',
  'user.list': 'spoor user list',
  'user.reset_link': 'spoor user reset-link',
  add_operator: 'spoor user add EMAIL --operator',
  back_up: 'spoor backup',
  end_unnamed_upload: ({ source_id, server }) =>
    `To make their days those of a server: spoor source retire ${source_id} --into ${server}. To end them: spoor source retire ${source_id}`,
  import_unpacked: ({ unpacker }) => `${unpacker} FILE | spoor import SITE -`,
  list_definitions: ({ what }) => `spoor ${what} list SITE --all`,
  restore: 'spoor restore FILE --replace',
  serve_at: ({ clock }) => ['spoor serve --clock', clock].filter(Boolean).join(' '),
}

/** Site owners read it, whose site is the one spoken of. */
const COMMANDS_OF_SITE: StepWords = { ...COMMANDS, 'tracker.enable': 'spoor tracker enable' }

/** A sentence of the domain, with its step as a command. */
export const wordsOf = (advised: Advised): string => wordAdvice(advised, COMMANDS)

/** The same where events are collected. */
export const wordsOfCollection = (advised: Advised): string => wordAdvice(advised, COMMANDS_OF_SITE)

/** Sentences that stand in an answer, worded. */
export const wordAll = <A extends Advised>(sentences: readonly A[], words = wordsOf): Omit<A, 'next'>[] =>
  sentences.map(({ next, ...sentence }) => ({ ...sentence, message: words({ message: sentence.message, next }) }))
