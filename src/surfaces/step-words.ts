/** The steps of the domain: commands for the operator at the machine, places for users of the dashboard. */
import { type Advised, type StepWords, wordAdvice } from '#next-step.ts'

const COMMANDS: StepWords = {
  'alert.list': 'spoor alert list SITE',
  'alert.remove': 'spoor alert remove',
  'brand.list': 'spoor brand list',
  'search_data.list': 'spoor search-data list',
  'brand.show': 'spoor brand show BRAND',
  'engine.accept_terms': 'spoor engine accept-terms ENGINE',
  'engine.budget': 'spoor engine budget ENGINE',
  'engine.list': 'spoor engine list',
  'engine.set_key': 'spoor engine set-key ENGINE',
  'gate.set': ({ gate }) => `spoor gate set SITE ${gate} on`,
  'issue.intended_list': 'spoor issue intended-list SITE',
  'issue.list': 'spoor issue list SITE',
  'key.list': 'spoor key list',
  'member.list': 'spoor member list SITE',
  'member.set_role': 'spoor member set-role SITE',
  'node.list': 'spoor node list',
  'node.lost': 'spoor node lost NODE',
  'property.add': 'spoor property add',
  'property.edit': 'spoor property edit',
  'property.list': 'spoor property list SITE',
  'registry.lists.import': 'spoor registry lists import FILE --list ID',
  'registry.lists.list': 'spoor registry lists list',
  'registry.show': 'spoor registry show',
  'registry.use': 'spoor registry use VERSION',
  'report.crawlers': 'spoor report SITE --json',
  'scan.cancel': 'spoor scan cancel --brand BRAND',
  'site.add': ({ root_domain }) => `spoor site add ${root_domain}`,
  'site.aliases': ({ root_domain, alias }) => `spoor site aliases ${root_domain} --forget ${alias}`,
  'site.list': 'spoor site list',
  'site.retention': 'spoor site retention',
  'source.connect': 'spoor source connect SITE --zone',
  'source.disconnect': ({ source_id }) => `spoor source disconnect ${source_id}`,
  'source.list': 'spoor source list SITE',
  'source.reconnect': ({ source_id }) => ['spoor source reconnect', source_id].filter(Boolean).join(' '),
  'source.retire': ({ source_id }) => `spoor source retire ${source_id}`,
  'source.token_create': 'spoor source token create SOURCE',
  'source.token_list': 'spoor source token list SOURCE',
  'token.create': 'spoor token create --name NAME --scope read',
  'token.list': 'spoor token list',
  'token.revoke': 'spoor token revoke TOKEN',
  'tracker.enable': 'spoor tracker enable SITE',
  'tracker.key_list': 'spoor tracker key list SITE',
  'tracker.origin_add': ({ root_domain, origin }) => `spoor tracker origin add ${root_domain} ${origin}`,
  'tracker.origin_list': 'spoor tracker origin list SITE',
  'tracker.show': 'spoor tracker show',
  'user.list': 'spoor user list',
  'user.reset_link': 'spoor user reset-link',
  add_operator: 'spoor user add EMAIL --operator',
  back_up: 'spoor backup',
  diagnose: 'spoor doctor',
  end_unnamed_upload: ({ source_id, server }) =>
    `To make their days those of a server: spoor source retire ${source_id} --into ${server}. To end them: spoor source retire ${source_id}`,
  find_or_add_site: ({ root_domain }) => `spoor site list shows all of them, and spoor site add ${root_domain} adds it`,
  import_unpacked: ({ unpacker }) => `${unpacker} FILE | spoor import SITE -`,
  list_definitions: ({ what }) => `spoor ${what} list SITE --all`,
  migrate_to: 'spoor migrate-to',
  restore: 'spoor restore FILE --replace',
  serve: 'spoor serve',
  serve_at: ({ clock }) => ['spoor serve --clock', clock].filter(Boolean).join(' '),
}

/** Site owners read it, whose site is the one spoken of. */
const COMMANDS_OF_SITE: StepWords = { ...COMMANDS, 'tracker.enable': 'spoor tracker enable' }

/** For holders of a site key, who need not be at the machine: a request where there is one. */
const REQUESTS: StepWords = {
  ...COMMANDS,
  'issue.list': 'GET /v1/sites/SITE/issues',
  'report.crawlers': 'GET /v1/sites/SITE/crawlers',
}

/** Places of the dashboard; a command where there is none. */
const PLACES: StepWords = {
  ...COMMANDS,
  'alert.list': 'the list of receivers in the settings of the site',
  'alert.remove': 'removing a receiver in the settings of the site',
  'brand.list': 'the list of brands',
  'brand.show': 'the page of the brand',
  'engine.accept_terms': 'accepting its terms among the engines of the account',
  'engine.budget': 'its budget among the engines of the account',
  'engine.list': 'the page of engines in the account',
  'engine.set_key': 'a key among the engines of the account',
  'gate.set': ({ gate }) => `opening the gate ${gate} in the settings of the site`,
  'issue.intended_list': 'the list of what is intended on the page of issues',
  'issue.list': 'the page of issues',
  'key.list': 'the keys in the settings of the site',
  'member.list': 'the list of members in the settings of the site',
  'member.set_role': 'another role in the settings of the site',
  'property.add': 'adding a property on the page of conversions',
  'property.edit': 'editing a property on the page of conversions',
  'property.list': 'the properties on the page of conversions',
  'registry.lists.list': 'the registry in the settings',
  'registry.show': 'the registry in the settings',
  'registry.use': 'choosing a registry version in the settings',
  'report.crawlers': 'the page of crawlers',
  'scan.cancel': 'cancelling it in the settings of the brand',
  'search_data.list': 'the search data in the settings of the brand',
  'site.add': ({ root_domain }) => `“Add a site” with ${root_domain}`,
  'site.aliases': ({ root_domain, alias }) => `ending the alias ${alias} in the settings of ${root_domain}`,
  'site.list': 'the list of sites',
  'site.retention': 'the retention in the settings of the site',
  'source.connect': 'connecting the zone on the page of sources',
  'source.disconnect': 'disconnecting it on the page of the source',
  'source.list': 'the page of sources',
  'source.reconnect': 'reconnecting it on the page of the source',
  'source.retire': 'ending it on the page of the source',
  'source.token_create': 'a new token on the page of the source',
  'source.token_list': 'the page of the source',
  'token.create': 'a new token in the settings',
  'token.list': 'the list of tokens in the settings',
  'token.revoke': 'revoking a token in the settings',
  'tracker.enable': 'enabling the tracker on its page',
  'tracker.key_list': 'the page of the tracker',
  'tracker.show': 'the page of the tracker',
  'user.list': 'the list of people in the settings',
  add_operator: 'another operator among the people in the settings',
  end_unnamed_upload: ({ server }) =>
    `On the page of the source, make its days those of the server ${server}, or end it`,
  find_or_add_site: ({ root_domain }) =>
    `the list of sites shows all of them, and “Add a site” with ${root_domain} adds it`,
  list_definitions: ({ what }) => `the list of ${what}s, archived ones too`,
}

/** A sentence of the domain, with its step as a place of the dashboard. */
export const wordsOfDashboard = (advised: Advised): string => wordAdvice(advised, PLACES)

/** A sentence of the domain, with its step as a command. */
export const wordsOf = (advised: Advised): string => wordAdvice(advised, COMMANDS)

/** The same, with its step as a request of surface A. */
export const wordsOfSiteApi = (advised: Advised): string => wordAdvice(advised, REQUESTS)

/** The same where events are collected. */
export const wordsOfCollection = (advised: Advised): string => wordAdvice(advised, COMMANDS_OF_SITE)

/** Sentences that stand in an answer, worded. */
export const wordAll = <A extends Advised>(sentences: readonly A[], words = wordsOf): Omit<A, 'next'>[] =>
  sentences.map(({ next, ...sentence }) => ({ ...sentence, message: words({ message: sentence.message, next }) }))
