/**
 * Decisions by robots.txt files: how many decisions per second one core makes with an ordinary file of 500 rules, and
 * how long the first decision takes with hostile files of 125, 250 and 500 KiB, including parsing. Processor time of
 * this thread, which a busy machine does not change.
 */
import { availabilityOf } from '#robots/availability.ts'
import { robotsDecider } from '#robots/engine.ts'
import { robotsTarget } from '#robots/target.ts'

const RULES = 500
const DECISIONS = 200_000
const SIZES_KIB = [125, 250, 500]
const CRAWLER = { token: 'GPTBot', reading: undefined }

function spentMs(work: () => void): number {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1_000
}

/** A fifth of the rules end in a file type, a fifth name a parameter, the others are folders. */
function ordinaryFile(): Buffer {
  const rules = Array.from({ length: RULES }, (_, index) => {
    if (index % 5 === 0) return `Disallow: /*/section${index}/*.pdf$`
    return index % 5 === 1 ? `Disallow: /*?p${index}=` : `Disallow: /folder${index}/private/`
  })
  return Buffer.from(`User-agent: *\n${rules.join('\n')}\n`)
}

function decisionsPerSecond(): number {
  const available = availabilityOf({ status: 200, body: ordinaryFile() })
  const targets = Array.from({ length: 1_000 }, (_, index) => `/folder${index % 700}/page-${index}.html?x=${index}`)
  const decideAll = () => {
    for (let index = 0; index < DECISIONS; index++) {
      robotsDecider(available, robotsTarget(targets[index % targets.length] as string))(CRAWLER)
    }
  }
  decideAll()
  return (DECISIONS / spentMs(decideAll)) * 1_000
}

const LONG_TARGET = `/${'a'.repeat(8_000)}`
const SPLIT_TARGET = `/${'b'.repeat(4_000)}${'a'.repeat(4_000)}`

/** Lines up to a total size. */
function fill(bytes: number, line: (index: number) => string): Buffer {
  const lines = ['User-agent: *\n']
  for (let size = 14, index = 0; size + line(index).length <= bytes; index++) {
    lines.push(line(index))
    size += line(index).length
  }
  return Buffer.from(lines.join(''))
}

const HOSTILE: Record<string, { file: (bytes: number) => Buffer; target: string }> = {
  'one rule of stars': {
    file: (bytes) => Buffer.from(`User-agent: *\nDisallow: /${'*'.repeat(bytes - 30)}\n`),
    target: LONG_TARGET,
  },
  'one rule a*a*…b': {
    file: (bytes) => Buffer.from(`User-agent: *\nDisallow: /${'a*'.repeat((bytes - 40) / 2)}b\n`),
    target: LONG_TARGET,
  },
  'many rules *aa…b': {
    file: (bytes) => fill(bytes, (index) => `Disallow: *${'a'.repeat((index % 50) + 1)}b\n`),
    target: LONG_TARGET,
  },
  'many rules *a…*b': {
    file: (bytes) => fill(bytes, (index) => `Disallow: *${'a'.repeat((index % 40) + 1)}*b\n`),
    target: SPLIT_TARGET,
  },
  'many short rules': { file: (bytes) => fill(bytes, (index) => `Allow:*ab${index % 7}\n`), target: LONG_TARGET },
  'many agents': { file: (bytes) => fill(bytes, (index) => `User-agent:b${index}\nAllow:/\n`), target: LONG_TARGET },
  'stray percent signs': {
    file: (bytes) => Buffer.from(`User-agent: *\nDisallow: /${'%'.repeat(bytes - 30)}\n`),
    target: LONG_TARGET,
  },
}

function firstDecisionMs(file: Buffer, target: string): number {
  const runs = Array.from({ length: 5 }, () =>
    spentMs(() => robotsDecider(availabilityOf({ status: 200, body: file }), robotsTarget(target))(CRAWLER)),
  )
  return runs.sort((a, b) => a - b)[2] as number
}

console.log(`${RULES} rules: ${Math.round(decisionsPerSecond()).toLocaleString('en')} decisions/s`)
for (const [name, { file, target }] of Object.entries(HOSTILE)) {
  const spent = SIZES_KIB.map((size) => `${size} KiB ${firstDecisionMs(file(size * 1_024), target).toFixed(0)} ms`)
  console.log(`${name}: ${spent.join(', ')}`)
}
