import { countOf, formatCount } from '#quantities.ts'
import { command, group, operation } from '../command.ts'
import { wholeNumber, wholeNumberBetween } from '../input/argument-values.ts'
import { confirm } from '../input/ask.ts'
import { argument, flag, optional } from '../input/parameters.ts'
import { siteArgument as site } from '../input/site-argument.ts'
import { readDomain } from '../input/value-forms.ts'
import { tableOr } from '../output.ts'

export { siteArgument } from '../input/site-argument.ts'

const aliasText = (aliases: readonly string[]) => (aliases.length === 0 ? '' : `; also found as ${aliases.join(', ')}`)

export const siteCommands = group('site', 'add, list and remove sites', [
  operation('site.add', 'add a site', {
    parameters: { domain: argument('<domain>', 'for example example.com', readDomain) },
    text: (added) => `Added ${added.root_domain}, id ${added.id}`,
  }),
  operation('site.list', 'list the sites', {
    text: ({ sites }) =>
      tableOr('No sites yet. Add one: spoor site add example.com', sites, {
        DOMAIN: 'root_domain',
        ID: 'id',
        ADDED: 'created_at',
      }),
  }),
  operation('site.rename', 'give a site another domain; its id and evidence stay', {
    parameters: {
      site,
      domain: argument('<new domain>', 'for example example.org', readDomain),
      keep_alias: flag('--keep-alias', 'keep its current domain as an alias'),
    },
    text: (renamed) => `The site is now ${renamed.root_domain}, id ${renamed.id}${aliasText(renamed.aliases)}`,
  }),
  operation('site.aliases', 'show the former domains that still find a site', {
    parameters: { site, forget: optional('--forget <domain>', 'remove this alias', readDomain) },
    text: ({ root_domain, aliases }) =>
      aliases.length === 0 ? `${root_domain} has no aliases` : `${root_domain}${aliasText(aliases)}`,
  }),
  command('remove', 'remove a site with its members, definitions and evidence, for good', {
    parameters: { site, yes: flag('--yes', 'do not ask; needed with --json and where there is no terminal') },
    async run({ site, yes }, { json, run, release }) {
      if (!yes) {
        // Any read returns the site's stored name, and refuses an unknown site.
        const { root_domain, id } = await run('site.retention', { site })
        await release()
        await confirm(
          json,
          `This removes ${root_domain} (${id}) with its members, definitions and all its evidence, for good. Keys for this site alone can no longer read anything.`,
        )
      }
      return run('site.remove', { site })
    },
    text: (removed) => `Removed ${removed.root_domain}, id ${removed.id}`,
  }),
  operation('site.retention', 'show or set for how many days evidence is kept', {
    parameters: {
      site,
      days: argument(
        '[days]',
        'a whole number of days; older evidence is deleted within the hour',
        wholeNumberBetween(1, 36_500),
      ),
    },
    text: (kept) => `${kept.root_domain} keeps evidence for ${countOf(kept.retention_days, 'day')}`,
  }),
  operation(
    'site.privacy_floor',
    'show or set the number of sessions below which a funnel is hidden, and of visitors for an event',
    {
      parameters: {
        site,
        privacy_floor: argument(
          '[n]',
          'hide funnels and events with fewer than this many; 0 hides nothing',
          wholeNumber(/^(\d{1,6}|1000000)$/, 'Give a whole number, 0 to 1000000.'),
        ),
      },
      text: ({ root_domain, privacy_floor }) =>
        privacy_floor === 0
          ? `${root_domain} does not hide funnels or events with few visitors`
          : `${root_domain} hides funnels that fewer than ${formatCount(privacy_floor)} sessions entered, and events of fewer visitors`,
    },
  ),
])
