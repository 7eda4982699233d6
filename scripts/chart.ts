/**
 * Renders the Helm chart as far as it uses Helm's templates: values, `if`, `range` over a map, and the functions below.
 * It replaces `helm template` where Helm is not installed, and refuses what it does not know. It is not Helm: its
 * output is checked for form only (test/scripts/chart.test.ts), and was not installed on a cluster.
 */
import { globSync, readFileSync } from 'node:fs'
import { parse, stringify } from 'yaml'

const CHART = new URL('../packaging/helm/spoor/', import.meta.url)
type Values = Record<string, unknown>
type Scope = Values & { variables: Values }

/** Every document of the chart with these values over its own, by file. */
export function renderChart(values: Values = {}): Record<string, Values> {
  const chart = parse(read('Chart.yaml'))
  const scope: Scope = {
    Values: merge(parse(read('values.yaml')), values),
    Chart: { AppVersion: chart.appVersion, Name: chart.name, Version: chart.version },
    Release: { Name: 'release', Namespace: 'default' },
    variables: {},
  }
  const files = globSync('templates/*.yaml', { cwd: CHART }).sort()
  const rendered = files.map((file) => [file, render(read(file), scope).trim()] as const)
  return Object.fromEntries(rendered.filter(([, text]) => text !== '').map(([file, text]) => [file, parse(text)]))
}

const read = (file: string) => readFileSync(new URL(file, CHART), 'utf8')

function merge(base: Values, over: Values): Values {
  const isMap = (value: unknown): value is Values =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
  const merged = Object.entries(over).map(([key, value]) => {
    const own = base[key]
    return [key, isMap(own) && isMap(value) ? merge(own, value) : value]
  })
  return { ...base, ...Object.fromEntries(merged) }
}

/** Text and actions alternately; `{{-` and `-}}` remove the white space beside them. */
const render = (template: string, scope: Scope): string =>
  renderParts(
    template
      .replace(/\s*\{\{-/g, '{{')
      .replace(/-\}\}\s*/g, '}}')
      .split(/\{\{(.*?)\}\}/s),
    scope,
  )

function renderParts(parts: readonly string[], scope: Scope): string {
  let text = parts[0] as string
  for (let at = 1; at < parts.length; at += 2) {
    const action = (parts[at] as string).trim()
    const [, kind, over] = /^(if|range) (.+)$/s.exec(action) ?? []
    if (kind === undefined || over === undefined) text += String(evaluate(action, scope))
    else {
      const end = endOfBlock(parts, at)
      const scopes = kind === 'if' ? conditional(over, scope) : repeated(over, scope)
      for (const inner of scopes) text += renderParts(parts.slice(at + 1, end), inner)
      at = end
    }
    text += parts[at + 1] as string
  }
  return text
}

/** The position of the `end` of the block that begins at `from`. */
function endOfBlock(parts: readonly string[], from: number): number {
  let open = 0
  for (let at = from; at < parts.length; at += 2) {
    const action = (parts[at] as string).trim()
    if (/^(if|range) /.test(action)) open++
    if (action === 'end' && --open === 0) return at
  }
  throw new Error(`"{{ ${parts[from]} }}" has no end.`)
}

const conditional = (expression: string, scope: Scope): Scope[] => (isTrue(evaluate(expression, scope)) ? [scope] : [])

/** As in Go: an empty map or list is false. */
const isTrue = (value: unknown): boolean =>
  typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : Boolean(value)

function repeated(expression: string, scope: Scope): Scope[] {
  const [, name, value, of] = /^(\$\w+), (\$\w+) := (.+)$/.exec(expression) ?? []
  if (name === undefined || value === undefined || of === undefined)
    throw new Error(`"range ${expression}" is not known.`)
  const all = Object.entries(evaluate(of, scope) as Values)
  return all.map(([key, each]) => ({ ...scope, variables: { ...scope.variables, [name]: key, [value]: each } }))
}

type Piped = (given: unknown, ...args: unknown[]) => unknown
const FUNCTIONS: Record<string, Piped> = {
  quote: (given) => JSON.stringify(String(given ?? '')),
  default: (given, other) => (given === undefined || given === null || given === '' ? other : given),
  toYaml: (given) => stringify(given).trimEnd(),
  nindent: (given, columns) => `\n${String(given).replace(/^/gm, ' '.repeat(columns as number))}`,
  required: (given, message) => {
    if (given === undefined || given === null || given === '') throw new Error(String(message))
    return given
  },
  fail: (message) => {
    throw new Error(String(message))
  },
  int: (given) => Number(given),
  not: (given) => !given,
  gt: (given, first) => (first as number) > (given as number),
  and: (given, ...others) => [...others, given].every(Boolean),
}

/** Pipes: each function gets the previous result as its last argument. */
function evaluate(expression: string, scope: Scope): unknown {
  const pipes = expression.split('|').map((pipe) => pipe.match(/"[^"]*"|[()]|[^\s()]+/g) ?? [])
  return pipes.reduce<unknown>((given, words, at) => call(at === 0 ? words : [...words, { given }], scope), undefined)
}

/** `function argument…`, or a value alone; arguments may be calls in parentheses, or results of a pipe. */
function call(words: readonly unknown[], scope: Scope): unknown {
  const values: unknown[] = []
  for (let at = 0; at < words.length; at++) {
    const word = words[at]
    if (word !== '(') {
      values.push(at === 0 ? word : argument(word, scope))
      continue
    }
    const end = closing(words, at)
    values.push(call(words.slice(at + 1, end), scope))
    at = end
  }
  const [name, ...args] = values as [string, ...unknown[]]
  return args.length === 0 ? operand(name, scope) : callOf(name)(args.at(-1), ...args.slice(0, -1))
}

/** A word of the expression, or the result of the pipe before. */
function argument(word: unknown, scope: Scope): unknown {
  return typeof word === 'string' ? operand(word, scope) : (word as { given: unknown }).given
}

function closing(words: readonly unknown[], from: number): number {
  let open = 0
  for (let at = from; at < words.length; at++) {
    if (words[at] === '(') open++
    if (words[at] === ')' && --open === 0) return at
  }
  throw new Error(`A parenthesis is not closed: ${words.join(' ')}`)
}

function callOf(name: string): Piped {
  const found = FUNCTIONS[name]
  if (found === undefined) throw new Error(`The function ${name} is not known here.`)
  return found
}

function operand(text: string, scope: Scope): unknown {
  if (/^".*"$/.test(text)) return text.slice(1, -1)
  if (/^\d+$/.test(text)) return Number(text)
  if (text.startsWith('$')) return scope.variables[text]
  if (!text.startsWith('.')) throw new Error(`${text} is not known here.`)
  return text
    .slice(1)
    .split('.')
    .reduce<unknown>((value, key) => (value as Values | undefined)?.[key], scope)
}
