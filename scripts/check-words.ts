/**
 * Fails on words of the private vocabulary that Spoor once had (CONTRIBUTING.md, "Words"), in names, comments, messages
 * and documents, and on comments and documents that are too wide to read beside a change. Part of `npm run check`.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A word that must not come back, or a line that is too wide; with what to do about it. */
export interface WordFault {
  file: string
  /** From 1. */
  line: number
  found: string
  advice: string
}

interface Word {
  pattern: RegExp
  say: string
  /** The files that it holds for; left out: all. */
  only?: RegExp
  /** Where the word is the field's own; each with the reason. */
  except?: readonly (readonly [pattern: RegExp, reason: string])[]
}

/** The dashboard has its own words for evidence and alerts, which people read. */
const NOT_DASHBOARD = /^(?!test\/dashboard\/|test\/processes\/browser\/dashboard\/|dashboard\/)/

const WORDS: readonly Word[] = [
  { pattern: /\b(?:told|tells?|telling|teller|hearer)(?![a-z])|\w+_told\b/i, say: 'report, publish, encode or warn' },
  { pattern: /\b\w*Stretch\w*|\bstretch(?:es)?\b/, say: 'TimeRange or interval' },
  {
    pattern: /\bWatch(?!dog)[A-Z]?\w*|\w+Watch(?:es|ed|er|ers)?\b|\bwatched\b|forgotten.?[Ww]atch\w*/,
    say: 'CoverageInterval, covered or expired coverage',
    // The dashboard's words for people: "watched in full", "not watched".
    only: NOT_DASHBOARD,
    except: [[/forgotten_watches/g, 'the stored name of a table']],
  },
  { pattern: /\b(?:lead_id|Unit|countingUnits)\b|(?<![-\w])units\.ts\b/, say: 'SourceGroup or source-groups.ts' },
  { pattern: /\beras?\b|\bplacesOf\b|\binWritingTurn\b|\bbetweenImports\b/, say: 'effective_periods or withWriteLock' },
  {
    pattern: /\b\w*[Dd]oors?\b/,
    say: 'endpoint',
    except: [[/front ?door/gi, 'a product of Azure']],
  },
  { pattern: /\b\w*[Ss]hel(?:f|ves?|ved)\b/, say: 'store' },
  { pattern: /\bpromise\.ts\b|\b[Ii]nlets?\b|\b[Tt]enures?\b/, say: 'contract revision or assignment period' },
  { pattern: /\b[Pp]atients?\b|\bexamin(?:e|ed|es|ing)\w*/, say: 'DiagnosticContext or check' },
  { pattern: /\b\w*[Rr]efuser\b|\bJudge\b/, say: 'AdmissionControl or AgentClassifier' },
  // The dashboard shows receivers of alerts.
  { pattern: /\bReceiver\b/, say: 'EventIntake', only: NOT_DASHBOARD },
  { pattern: /\b[Ss]kim\w*|\bscan-people\b|\bPeople(?:Scanner|Skimmer)\b/, say: 'plain lines or human lines' },
  { pattern: /\b(?:lines?|requests?|groups?) of (?:people|persons?)\b|\bis(?:_p|P)erson\b/, say: 'human requests' },
  { pattern: /\b\w*[Pp]ulse\b/, say: 'liveness' },
  { pattern: /\b[Tt]all(?:y|ies)\b/, say: 'counts' },
  { pattern: /\bAsked[A-Z]\w*|\b\w+Asked\b|\b(?:interface|type) (?:Asked|Given)\b/, say: 'a name that ends in Input' },
  { pattern: /\b(?:MOST|LONGEST|LEAST|SHORTEST)_\w+/, say: 'MAX_ or MIN_' },
  { pattern: /\bendRetention\b/, say: 'enforceRetention' },
  {
    pattern: /(?<!here )\b(?:is|are) no (?!longer|more|other|such|one|way|need|room|point|reason|difference)[a-z]/,
    say: 'is not a …',
  },
  {
    pattern: /(?<=(?:\/\*|\/\/|^\s*\*\s).*)\b(?:somebody|whoever|nobody)\b/i,
    say: 'who acts',
    only: /^(?!test\/|tracker\/|docs\/)/,
  },
  {
    pattern: /(?<=(?:\b(?:it|test|describe)\b[^'"`]*|^\s*\][^'"`]*)\(['"`].*)\b(?:somebody|whoever|nobody)\b/i,
    say: 'who acts',
    only: /^test\//,
  },
  { pattern: /\b(?:days?|what) (?:that )?nobody \w+ed\b/, say: 'unobserved days, or name the actor' },
]

/** Stored layouts keep the words they were shipped with; this check and its test name the words. */
const NOT_READ = [
  'src/control/migrations/**',
  'src/evidence/migrations/**',
  'scripts/check-words.ts',
  'test/scripts/check-words.test.ts',
]
const CODE = ['{src,cli,test,tracker,bench,scripts,bin,dashboard}/**/*.{ts,tsx,mjs,sql}', '*.ts']
const DOCUMENTS = ['{docs,dashboard}/**/*.md', '*.md']
const BUILT = ['{tracker,dashboard}/dist/**']

const MAX_COMMENT_COLUMNS = 120
const MAX_DOCUMENT_COLUMNS = 140

/** Every fault of the repository at `root`, in the order of files and lines. */
export function findWordFaults(root: string): WordFault[] {
  const files = globSync([...CODE, ...DOCUMENTS], { cwd: root, exclude: [...NOT_READ, ...BUILT] }).sort()
  return files.flatMap((file) => {
    const lines = readFileSync(join(root, file), 'utf8').split('\n')
    const tooWide = file.endsWith('.md') ? wideProse(lines) : wideComments(lines, file)
    return [
      ...wordsIn(file, file).map((fault) => ({ file, line: 1, ...fault })),
      ...lines.flatMap((text, index) =>
        [...wordsIn(text, file), ...(tooWide.get(index) ?? [])].map((fault) => ({ file, line: index + 1, ...fault })),
      ),
    ]
  })
}

type Found = Pick<WordFault, 'found' | 'advice'>

function wordsIn(text: string, file: string): Found[] {
  return WORDS.flatMap(({ pattern, say, only, except = [] }) => {
    if (only?.test(file) === false) return []
    const rest = except.reduce((shown, [allowed]) => shown.replaceAll(allowed, ''), text)
    const found = pattern.exec(rest)
    return found === null ? [] : [{ found: found[0], advice: `is not a word of this project: say ${say}.` }]
  })
}

/** Faults by the index of their line. */
type WideLines = Map<number, Found[]>

/** Lines that hold nothing but a comment. */
function wideComments(lines: readonly string[], file: string): WideLines {
  const comment = file.endsWith('.sql') ? /^\s*--/ : /^\s*(?:\/\/|\/\*|\* |\{\/\*)/
  return wideLines(lines, (text) => comment.test(text), MAX_COMMENT_COLUMNS)
}

/** Prose: a row of a table, a line of a code block and a line that ends in a long link cannot be wrapped. */
function wideProse(lines: readonly string[]): WideLines {
  let is_code = false
  return wideLines(
    lines,
    (text) => {
      if (/^\s*```/.test(text)) is_code = !is_code
      return !is_code && !/^\s*\|/.test(text) && !/\S{80}/.test(text)
    },
    MAX_DOCUMENT_COLUMNS,
  )
}

function wideLines(lines: readonly string[], isHeld: (text: string) => boolean, most: number): WideLines {
  return new Map(
    lines.flatMap((text, index) => {
      const fault = { found: `${text.trim().slice(0, 40)}…`, advice: `has ${text.length} columns: wrap it at ${most}.` }
      return isHeld(text) && text.length > most ? [[index, [fault]] as const] : []
    }),
  )
}

if (import.meta.main) {
  const faults = findWordFaults(fileURLToPath(new URL('..', import.meta.url)))
  for (const { file, line, found, advice } of faults) console.error(`${file}:${line}: "${found}" ${advice}`)
  if (faults.length > 0) process.exitCode = 1
}
