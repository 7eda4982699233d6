import { readBrandNames } from '#brands/brand-names.ts'
import type { ManagementOutput } from '#contract/management-api/index.ts'
import { countOf } from '#quantities.ts'
import { judgedBy } from '../bad-usage.ts'
import { command, group, operation } from '../command.ts'
import { asTypedHere } from '../host/program-name.ts'
import { wholeNumberBetween } from '../input/argument-values.ts'
import { confirm } from '../input/ask.ts'
import { argument, flag, mapped, optional, repeatable, together } from '../input/parameters.ts'
import { readDomain, readNameOf } from '../input/value-forms.ts'
import { lines, tableOr } from '../output.ts'

const readAlias = readNameOf('an alias of a brand')
const readCompanyWord = readNameOf('a word of company')
const brand = argument('<brand>', 'its id or name')
const aliases = namedBy('--alias <alias>', 'another name; repeatable')
const domains = repeatable('--domain <domain>', 'one of its own domains, with its subdomains; repeatable', readDomain)
const unlessEmpty = <T>(given: T[]) => (given.length === 0 ? undefined : given)

type Brand = ManagementOutput<'brand.add'>

const competitorCommands = group('competitor', 'who a brand is compared with', [
  operation('brand.competitor_add', 'add a competitor to a brand', {
    parameters: mapped(
      together({
        brand,
        name: argument('<name>', 'name of the competitor', readNameOf('a competitor')),
        aliases,
        domains,
      }),
      judgedBy((given) => {
        readBrandNames(given, 'a competitor')
        return given
      }),
    ),
    text: ({ name, id }) => `Added ${name} (${id})`,
  }),
  operation('brand.competitor_remove', 'remove a competitor from a brand', {
    parameters: { brand, competitor: argument('<competitor>', 'its id or name') },
    text: ({ name }) => `Removed ${name}`,
  }),
])

export const brandCommands = group('brand', 'brands whose visibility in AI answers is observed', [
  operation('brand.add', 'add a brand', {
    parameters: mapped(
      together({
        name: argument('<name>', 'name of the brand', readNameOf('a brand')),
        aliases,
        domains,
        site: optional(
          '--of-site <site>',
          'its site (domain or id); the roles on that site then decide who sees the brand',
        ),
      }),
      judgedBy((given) => {
        readBrandNames(given, 'a brand')
        return given
      }),
    ),
    text: ({ name, id }) => `Added ${name} (${id})`,
  }),
  operation('brand.list', 'list the brands', {
    parameters: { with_archived: flag('--archived', 'archived ones too') },
    text: ({ brands }) =>
      tableOr('No brands yet. Add one: spoor brand add NAME --domain example.com', brands, {
        NAME: 'name',
        ID: 'id',
        DOMAINS: (row) => row.domains.join(', '),
        COMPETITORS: (row) => String(row.competitors.length),
        ARCHIVED: ['archived_at', 'no'],
      }),
  }),
  operation('brand.show', 'show a brand', { parameters: { brand }, text: brandText }),
  operation(
    'brand.edit',
    'change a brand; what you leave out does not change, and its answers are searched for new names',
    {
      parameters: {
        brand,
        name: optional('--name <name>', 'its new name', readNameOf('a brand')),
        aliases: mapped(
          namedBy('--alias <alias>', 'replaces all aliases, with the two below; repeatable'),
          unlessEmpty,
        ),
        domains: mapped(repeatable('--domain <domain>', 'replaces all domains; repeatable', readDomain), unlessEmpty),
        site: mapped(optional('--of-site <site>', 'its site (domain or id), or none'), (site) =>
          site === 'none' ? null : site,
        ),
      },
      text: brandText,
    },
  ),
  operation('brand.archive', 'hide a brand from the account API and stop asking its questions', {
    parameters: { brand },
    text: ({ name, archived_at }) =>
      asTypedHere(`${name} was archived at ${archived_at}. To restore it: spoor brand restore`),
  }),
  operation('brand.restore', 'restore an archived brand', {
    parameters: { brand },
    text: ({ name }) => `${name} is active`,
  }),
  operation('brand.contents', 'count what would be removed with a brand', {
    parameters: { brand },
    text: contentsText,
  }),
  command('remove', 'remove a brand with its questions and competitors, for good', {
    parameters: { brand, yes: flag('--yes', 'do not ask') },
    async run({ brand: named, yes }, { run, json }) {
      const contents = await run('brand.contents', { brand: named })
      if (!yes) await confirm(json, `This removes ${contentsText(contents)}, for good.`)
      return run('brand.remove', { brand: contents.id })
    },
    text: ({ name, questions, competitors }) =>
      `Removed ${name} with ${countOf(questions, 'question')} and ${countOf(competitors, 'competitor')}`,
  }),
  operation('brand.retention', 'show or set for how many days answers are kept', {
    parameters: {
      brand,
      days: argument('[days]', 'days, 1 to 3650', wholeNumberBetween(1, 3_650)),
    },
    text: ({ name, retention_days }) => `${name} keeps answers for ${countOf(retention_days, 'day')}`,
  }),
  competitorCommands,
])

function contentsText({ name, questions, answers, competitors, fixes }: ManagementOutput<'brand.contents'>): string {
  const parts = [countOf(questions, 'question'), countOf(answers, 'answer'), countOf(competitors, 'competitor')]
  return `${name} with ${parts.join(', ')}, ${countOf(fixes, 'fix', 'fixes')} and all search data`
}

/** All options that give aliases, as one list; repeats are merged by the installation. */
function namedBy(flags: '--alias <alias>', about: string) {
  const given = together({
    plain: repeatable(flags, about, readAlias),
    exact: repeatable(
      '--exact-alias <alias>',
      'another name, counted only in exactly this spelling; repeatable',
      readAlias,
    ),
    in_company: repeatable(
      '--company-alias <alias=words>',
      'another name, counted only where the answer also has a domain of the brand or one of these words, such as "Apex=Munich,Bavaria"; repeatable',
      readCompanyAlias,
    ),
  })
  return mapped(given, ({ plain, exact, in_company }) => [
    ...plain,
    ...exact.map((alias) => ({ alias, is_exact: true })),
    ...in_company,
  ])
}

/** Without words, the alias counts only if the answer has a domain of the brand. */
function readCompanyAlias(text: string) {
  const [alias = '', ...words] = text.split('=')
  const company = words
    .join('=')
    .split(',')
    .map((word) => word.trim())
  return { alias: readAlias(alias), company: company.filter((word) => word !== '').map(readCompanyWord) }
}

function aliasText(alias: string, rules: Brand['alias_rules']): string {
  const rule = rules.find((one) => one.alias === alias)
  if (rule === undefined) return alias
  const { is_exact, company } = rule
  const needed = company === null ? [] : [`with ${[...company, 'a domain'].join(' or ')}`]
  return `${alias} (${[...(is_exact ? ['exact'] : []), ...needed].join(', ')})`
}

function brandText({
  name,
  id,
  aliases: others,
  alias_rules,
  domains: own,
  site_id,
  competitors,
  archived_at,
}: Brand): string {
  return lines(
    `${name} (${id})${archived_at === null ? '' : `, archived since ${archived_at}`}`,
    `aliases      ${others.map((alias) => aliasText(alias, alias_rules)).join(', ') || 'none'}`,
    `domains      ${own.join(', ') || 'none'}`,
    `site         ${site_id ?? 'none'}`,
    `competitors  ${competitors.map((each) => each.name).join(', ') || 'none'}`,
  )
}
