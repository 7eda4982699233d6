/**
 * How fast names are found in answers: MB of UTF-8 per second of processor time, for Latin, CJK and hostile texts. The
 * best of several rounds, because other programs evict the caches.
 */
import { MentionFinder } from '#brands/mentions/find-mentions.ts'
import type { TrackedBrand } from '#brands/mentions/name-patterns.ts'
import { row } from './parts/figures.ts'

const NAME_COUNT = 50
const ANSWER_COUNT = 400
const ROUNDS = 7
const WORDS = [
  'The bakery delivers loaves on weekdays and a café near Zürich offers crème brûlée while many readers compare',
  'prices, quality, support and opening hours before they order; most answers recommend two or three shops.',
].flatMap((line) => line.split(' '))
const HAN = [
  ...'这家面包店工作日送货上门许多读者在下单之前会比较价格质量客服和营业时间苏黎世附近的咖啡馆也提供无麸质面包',
]

/** The same sequence in every run: a multiplicative generator (Park, Miller 1988). */
let seed = 42
function below(count: number): number {
  seed = (seed * 48_271) % 2_147_483_647
  return seed % count
}

const pick = <T>(values: readonly T[]): T => values[below(values.length)] as T
const repeat = (count: number, piece: () => string): string => Array.from({ length: count }, piece).join('')

const latinNames = Array.from(
  { length: NAME_COUNT },
  (_, index) => `${pick(['Brot', 'Korn', 'Mill', 'Oven'])}werk ${index}x`,
)
const hanNames = Array.from({ length: NAME_COUNT }, () => `${pick(HAN)}${pick(HAN)}${pick(HAN)}银行`)

const brands = (names: readonly string[]): TrackedBrand[] =>
  names.map((text, index) => ({ id: text, names: [{ text }], domains: [`brand-${index}.example`] }))

/** A name in every 40 words, as answers have, with a link now and then. */
const latin = () =>
  repeat(300, () => (below(40) === 0 ? `**${pick(latinNames)}** ` : `${pick(WORDS)} `)) +
  `([example.com](https://example.com/${below(1_000)}?utm_source=openai))`
const han = () => repeat(600, () => (below(60) === 0 ? pick(hanNames) : pick(HAN)))

const TEXTS: readonly { name: string; goal: string; names: readonly string[]; texts: readonly string[] }[] = [
  { name: 'Latin answers', goal: '50', names: latinNames, texts: Array.from({ length: ANSWER_COUNT }, latin) },
  { name: 'CJK answers', goal: '10', names: hanNames, texts: Array.from({ length: ANSWER_COUNT }, han) },
  { name: 'nothing but names', goal: '', names: latinNames, texts: [repeat(50_000, () => `${pick(latinNames)} `)] },
  { name: 'names that never end', goal: '', names: ['a', 'a-a-a-a-a', 'a'.repeat(64)], texts: ['a-'.repeat(500_000)] },
  { name: 'backticks and brackets', goal: '', names: latinNames, texts: ['`` ` <a ``` ](/ '.repeat(60_000)] },
  { name: 'combining marks', goal: '', names: latinNames, texts: [`Brotwerk${'\u0301'.repeat(300_000)}`] },
]

console.log(row('text', 'MB', 'MB/s', 'goal', 'mentions'))
for (const { name, goal, names, texts } of TEXTS) {
  const finder = new MentionFinder(brands(names))
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0)
  let mentions = 0
  let best_ms = Number.POSITIVE_INFINITY
  for (let round = 0; round < ROUNDS; round++) {
    const since = process.cpuUsage()
    mentions = texts.reduce((sum, text) => sum + finder.find(text).length, 0)
    best_ms = Math.min(best_ms, process.cpuUsage(since).user / 1e3)
  }
  console.log(row(name, (bytes / 1e6).toFixed(2), (bytes / 1e3 / best_ms).toFixed(1), goal, mentions))
}
