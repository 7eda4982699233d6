import { countOf, formatCount } from '#quantities.ts'
import { wholeNumber } from './argument-values.ts'
import { confirm } from './ask.ts'
import { command, group, operation } from './command.ts'
import { tableOr } from './output.ts'
import { argument, flag, optional } from './parameters.ts'
import { siteArgument as site } from './site-argument.ts'

export { siteArgument } from './site-argument.ts'

const aliasText = (aliases: readonly string[]) => (aliases.length === 0 ? '' : `; also found as ${aliases.join(', ')}`)

export const siteCommands = group('site', 'add, list and remove sites', [
  operation('site.add', 'add a site', {
    parameters: { domain: argument('<domain>', 'for example example.com') },
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
      domain: argument('<new domain>', 'for example example.org'),
      keep_alias: flag('--keep-alias', 'let its present domain find it as before'),
    },
    text: (renamed) => `The site is now ${renamed.root_domain}, id ${renamed.id}${aliasText(renamed.aliases)}`,
  }),
  operation('site.aliases', 'show the former domains that still find a site', {
    parameters: { site, forget: optional('--forget <domain>', 'end one of them') },
    text: ({ root_domain, aliases }) =>
      aliases.length === 0 ? `${root_domain} has no aliases` : `${root_domain}${aliasText(aliases)}`,
  }),
  command('remove', 'remove a site with its members, definitions and evidence, for good', {
    parameters: { site, yes: flag('--yes', 'do not ask; needed with --json and where there is no terminal') },
    async run({ site, yes }, { json, run, release }) {
      if (!yes) {
        // Any read names the site as it is known, and refuses one that is not.
        const { root_domain, id } = await run('site.retention', { site })
        await release()
        await confirm(
          json,
          `This removes ${root_domain} (${id}) with its members, definitions and all its evidence, for good. Keys that only see this site see nothing any more.`,
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
        'a whole number of days; what is older is deleted within the hour',
        wholeNumber(/^[1-9]\d{0,5}$/, 'Give a whole number of days from 1 up.'),
      ),
    },
    text: (kept) => `${kept.root_domain} keeps evidence for ${countOf(kept.retention_days, 'day')}`,
  }),
  operation('site.privacy_floor', 'show or set below how many sessions funnels, and visitors events, are left out', {
    parameters: {
      site,
      privacy_floor: argument(
        '[n]',
        'a whole number; 0 leaves nothing out',
        wholeNumber(/^\d{1,7}$/, 'Give a whole number from 0 up.'),
      ),
    },
    text: ({ root_domain, privacy_floor }) =>
      privacy_floor === 0
        ? `${root_domain} leaves out no funnel and no event for want of visitors`
        : `${root_domain} suppresses funnels that fewer than ${formatCount(privacy_floor)} sessions entered, and leaves out events of fewer visitors`,
  }),
])
