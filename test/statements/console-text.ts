/** Statements as a person reads them and pastes them into a ClickHouse console. */
import { type Fragment, render } from '#evidence/fragment.ts'

const WIDTH = 120

/** Values as SET lines, then the statement, indented by its brackets. */
export function consoleText(fragment: Fragment): string {
  const { text, parameters } = render(fragment)
  const settings = parameters.map((parameter, at) => `SET param_p${at} = ${quoted(parameter.text)};`)
  const lines = text.split('\n').map((line) => line.trim())
  return `${[...settings, ...indented(lines.filter((line) => line !== '').flatMap(folded))].join('\n')};\n`
}

/** A parameter's text carries tab-separated escapes already; the quotes of SQL come on top. */
const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

/** The same with blanks where comments and quoted text are, so that only brackets of the statement are left. */
const bare = (line: string): string =>
  line.replace(/--.*$|'(?:[^'\\]|\\.)*'|\{p\d+:.*?\}/g, (found) => ' '.repeat(found.length))

/** A line that is too long, its longest bracket on lines of its own, divided at commas, else at AND and OR. */
function folded(line: string): string[] {
  if (line.length <= WIDTH || line.startsWith('--')) return [line]
  const [from, to] = longestBracket(bare(line))
  if (to - from < 40) return [line]
  return [line.slice(0, from + 1), ...divided(line.slice(from + 1, to)).flatMap(folded), ...folded(line.slice(to))]
}

function longestBracket(line: string): [from: number, to: number] {
  const opened: number[] = []
  let longest: [number, number] = [0, 0]
  for (const { 0: bracket, index } of line.matchAll(/[([\])]/g)) {
    if (bracket === '(' || bracket === '[') opened.push(index)
    else if (opened.length > 0) {
      const from = opened.pop() as number
      if (opened.length === 0 && index - from > longest[1] - longest[0]) longest = [from, index]
    }
  }
  return longest
}

function divided(text: string): string[] {
  const flat = bare(text)
  let depth = 0
  const commas: number[] = []
  const words: number[] = []
  for (const { 0: found, index } of flat.matchAll(/[([\])]|, | (?:AND|OR) /g)) {
    if (found === '(' || found === '[') depth++
    else if (found === ')' || found === ']') depth--
    else if (depth === 0) (found === ', ' ? commas : words).push(index)
  }
  const cuts = commas.length > 0 ? commas.map((at) => at + 1) : words
  return [0, ...cuts].map((from, at) => text.slice(from, cuts[at]).trim())
}

/** A line that begins with one of these stands at the left of its block, any other continues the line before. */
const CLAUSE =
  /^(WITH|SELECT|FROM|WHERE|GROUP|HAVING|ORDER|LIMIT|WINDOW|UNION|ARRAY JOIN|INNER|LEFT|RIGHT|INSERT|DELETE)\b/

function indented(lines: readonly string[]): string[] {
  /** Brackets that are open: how far their line is indented, and whether clauses stand in them or items. */
  const opened: { indent: number; holds?: 'clauses' | 'items' }[] = []
  return lines.map((line) => {
    const block = opened.at(-1)
    if (block !== undefined) block.holds ??= CLAUSE.test(line) ? 'clauses' : 'items'
    const start = block === undefined ? 0 : block.indent + 2
    const continues = block?.holds !== 'items' && !CLAUSE.test(line)
    const indent = /^[)\]]/.test(line) ? (block?.indent ?? 0) : start + (continues ? 2 : 0)
    for (const [bracket] of bare(line).matchAll(/[([\])]/g)) {
      if (bracket === '(' || bracket === '[') opened.push({ indent })
      else opened.pop()
    }
    return ' '.repeat(indent) + line
  })
}
