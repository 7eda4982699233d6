/**
 * Fails on references that lead nowhere: to headings of docs/specification (`spec 2.2`, `rules 4, 7`), to pages of
 * docs/decisions (`ADR 18`, `decision 0018`), to Markdown files by name, and links between Markdown files with their
 * anchors; and on links of published documents to files that are not in the npm package. Part of `npm run check`.
 */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PACKAGE_README, PUBLISHED_AS_IS } from './published-files.ts'

/** A reference that does not resolve, its position, and what to do about it. */
export interface Fault {
  file: string
  /** From 1. */
  line: number
  reference: string
  advice: string
}

type Found = Pick<Fault, 'reference' | 'advice'>

const CODE = [
  'src/**/*.{ts,sql}',
  'test/**/*.ts',
  'tracker/*.ts',
  'bench/**/*.{ts,mjs}',
  'scripts/*.ts',
  '*.ts',
  'bin/*.mjs',
]
const DOCUMENTS = ['docs/**/*.md', '*.md']
const SPECIFICATION = 'docs/specification/*.md'
const DECISIONS = 'docs/decisions/*.md'

/** Quotes broken references in order to test this check. */
const OWN_TEST = 'test/scripts/check-references.test.ts'

/** What the references of one repository may name. */
interface Targets {
  root: string
  /** `spec 2.2` and its like, each with the pages that have such a heading. */
  headings: ReadonlyMap<string, readonly string[]>
  /** Numbers of decision pages, four digits. */
  decisions: ReadonlySet<string>
  /** Names of all Markdown files, without their folders. */
  names: ReadonlySet<string>
}

/** Every fault of the repository at `root`, in the order of files and lines. */
export function findFaults(root: string): Fault[] {
  const files = (patterns: readonly string[]) => globSync([...patterns], { cwd: root }).sort()
  const documents = files(DOCUMENTS)
  const targets: Targets = {
    root,
    headings: readHeadings(root, files([SPECIFICATION])),
    decisions: new Set(files([DECISIONS]).map((file) => basename(file).slice(0, 4))),
    names: new Set(documents.map((file) => basename(file))),
  }
  const repeated = [...targets.headings].filter(([, pages]) => pages.length > 1)
  return [
    ...repeated.map(([reference, pages]) => ({
      file: pages[1] as string,
      line: 1,
      reference,
      advice: `is a heading of ${pages.join(' and of ')}. Give each heading its own number.`,
    })),
    ...[...documents, ...files(CODE)].filter((file) => file !== OWN_TEST).flatMap((file) => faultsOf(file, targets)),
  ]
}

const PART = 'spec|rules|decisions|account API'
const NUMBER = String.raw`\d+(?:\.\d+)*`
const HEADING = new RegExp(`^#+ ((?:${PART}) ${NUMBER})(?= |$)`)

function readHeadings(root: string, pages: readonly string[]): Map<string, string[]> {
  const headings = new Map<string, string[]>()
  for (const page of pages) {
    for (const line of linesOf(root, page)) {
      const reference = HEADING.exec(line)?.[1]
      if (reference !== undefined) headings.set(reference, [...(headings.get(reference) ?? []), page])
    }
  }
  return headings
}

function faultsOf(file: string, targets: Targets): Fault[] {
  return linesOf(targets.root, file).flatMap((text, index) =>
    [
      ...faultyHeadings(text, targets),
      ...faultyDecisions(text, targets),
      ...faultyNames(text, file, targets),
      ...(file.endsWith('.md') ? faultyLinks(text, file, targets) : []),
    ].map((found) => ({ file, line: index + 1, ...found })),
  )
}

/**
 * A part and one or more numbers: `spec 2.2`, `rules 4, 7`, `spec 2.2 to 2.4`. Another number counts only where a list
 * of numbers may end.
 */
const REFERENCE = new RegExp(
  String.raw`\b(${PART}) (${NUMBER}(?:(?:, and |, | and | to )${NUMBER}(?=[),;:.]|$| and | to | say))*)`,
  'g',
)

function* faultyHeadings(text: string, { headings }: Targets): Generator<Found> {
  for (const [, part, numbers = ''] of text.matchAll(REFERENCE)) {
    for (const number of numbers.match(new RegExp(NUMBER, 'g')) ?? []) {
      const reference = `${part} ${number}`
      if (headings.has(reference)) continue
      const advice =
        'is not a heading of docs/specification. Name one that is there (its README.md lists them), or add it.'
      yield { reference, advice }
    }
  }
}

const DECISION = /\b(?:ADR |[Dd]ecisions? (?=0\d{3})|[Dd]ecision |docs\/decisions\/)(\d{1,4})\b/g

function* faultyDecisions(text: string, { decisions }: Targets): Generator<Found> {
  for (const [reference, number = ''] of text.matchAll(DECISION)) {
    if (decisions.has(number.padStart(4, '0'))) continue
    yield { reference, advice: 'is not a page of docs/decisions. Name one by its number, or add it.' }
  }
}

const NAME = /(?<![\w./:-])(?:[\w.-]+\/)*[\w.-]*\w\.md\b/g

/** Markdown files that prose names: by their path from the root or from the file itself, or by their name alone. */
function* faultyNames(text: string, file: string, { root, names }: Targets): Generator<Found> {
  for (const [name] of text.replace(LINK, '').matchAll(NAME)) {
    const places = [name, join(dirname(file), name), name.replace(/^(\.\.\/)+/, '')]
    if (name.includes('/') ? places.some((place) => existsSync(join(root, place))) : names.has(name)) continue
    yield { reference: name, advice: 'is not a document of this repository. Name one that is there, or leave it out.' }
  }
}

const LINK = /\]\(<?([^()\s>]+)>?\)/g

function* faultyLinks(text: string, file: string, { root }: Targets): Generator<Found> {
  for (const [, link = ''] of text.matchAll(LINK)) {
    if (/^[a-z]+:/.test(link)) continue
    const [path = '', anchor] = link.split('#')
    const target = path === '' ? file : join(dirname(file), path)
    if (!existsSync(join(root, target))) {
      yield {
        reference: link,
        advice: `leads to ${target}, which does not exist. Correct the path, or remove the link.`,
      }
    } else if (anchor !== undefined && target.endsWith('.md') && !anchorsOf(root, target).has(anchor)) {
      yield { reference: link, advice: `names a heading that ${target} does not have. Correct the anchor.` }
    }
  }
}

/** Links of documents in the npm package to files that are not in it; `published`: patterns of its files. */
export function findUnpublishedLinks(root: string, published: readonly string[]): Fault[] {
  const held = new Set([...globSync([...published], { cwd: root }), 'README.md'])
  const folders = new Set([...held].flatMap(foldersOf))
  const documents = [...held].filter((file) => file.endsWith('.md') && existsSync(join(root, sourceOf(file)))).sort()
  return documents.flatMap((file) =>
    linesOf(root, sourceOf(file)).flatMap((text, index) =>
      [...text.matchAll(LINK)].flatMap(([, link = '']) => {
        const path = link.replace(/#.*/, '')
        const target = join(dirname(file), path)
        if (/^[a-z]+:/.test(link) || path === '' || held.has(target) || folders.has(target)) return []
        const advice = `leads to ${target}, which is not in the npm package. Add it to scripts/published-files.ts, or write it without a link.`
        return [{ file: sourceOf(file), line: index + 1, reference: link, advice }]
      }),
    ),
  )
}

const sourceOf = (file: string): string => (file === 'README.md' ? PACKAGE_README : file)

function foldersOf(file: string): string[] {
  const folder = dirname(file)
  return folder === '.' ? [] : [folder, ...foldersOf(folder)]
}

/** The anchors of a document's headings, as code hosts make them. */
function anchorsOf(root: string, file: string): Set<string> {
  const headings = linesOf(root, file).filter((line) => /^#+ /.test(line))
  return new Set(
    headings.map((line) =>
      line
        .replace(/^#+ /, '')
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .trim()
        .replace(/\s/g, '-'),
    ),
  )
}

const linesOf = (root: string, file: string): string[] => readFileSync(join(root, file), 'utf8').split('\n')

if (import.meta.main) {
  const root = fileURLToPath(new URL('..', import.meta.url))
  const faults = [...findFaults(root), ...findUnpublishedLinks(root, PUBLISHED_AS_IS)]
  for (const { file, line, reference, advice } of faults) console.error(`${file}:${line}: "${reference}" ${advice}`)
  if (faults.length > 0) process.exitCode = 1
}
