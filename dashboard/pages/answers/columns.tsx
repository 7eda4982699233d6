import type { BrandAnswer } from '../../../src/contract/account-api/answers.ts'
import { Badge } from '../../controls/badge.tsx'
import { PageLink } from '../../controls/page-link.tsx'
import { Unknown } from '../../evidence/value.tsx'
import type { BrandSearch } from '../../read/brand-search.ts'
import { ROW_LINK } from '../../tables/path-text.tsx'
import type { Column } from '../../tables/table-types.ts'
import { ANSWER_STATE_WORDS, countryName, ENGINE_WORDS, failureWords } from '../../words/brand.ts'
import { dayText, instantText } from '../../words/days.ts'
import { shortText } from '../../words/foreign-text.ts'

/** Only the day if the time is unknown. */
export const askedText = ({ asked_at, asked_at_precision }: BrandAnswer): string =>
  asked_at_precision === 'day' ? dayText(asked_at.slice(0, 10)) : instantText(asked_at)

const STATE_TONES = { answered: 'plain', refused: 'warn', failed: 'bad' } as const

export const AnswerState = ({ state }: Pick<BrandAnswer, 'state'>) => (
  <Badge tone={STATE_TONES[state] ?? 'plain'}>{ANSWER_STATE_WORDS[state] ?? state}</Badge>
)

const ownMention = ({ mentions }: BrandAnswer) => mentions.find(({ is_own }) => is_own)
const ownCitations = ({ citations }: BrandAnswer) =>
  citations === null ? null : citations.filter(({ source }) => source === 'own').length

export const answerColumns = (brand: string, search: BrandSearch): Column<BrandAnswer>[] => [
  {
    key: 'question',
    head: 'Question',
    csv: { name: 'question', value: ({ question }) => question.text },
    cell: ({ id, question }) => (
      <>
        <PageLink
          to="/brands/$brand/answers/$answer"
          params={{ brand, answer: id }}
          search={search}
          className={ROW_LINK}
        >
          {shortText(question.text)}
        </PageLink>
        {question.country !== null && (
          <span className="ml-4 text-small text-ink3">{countryName(question.country)}</span>
        )}
      </>
    ),
  },
  {
    key: 'engine',
    head: 'Engine',
    phone: 'tag',
    csv: { name: 'engine', value: ({ engine }) => engine },
    cell: ({ engine }) => <span className="whitespace-nowrap">{ENGINE_WORDS[engine] ?? engine}</span>,
  },
  {
    key: 'model',
    head: 'Model',
    csv: { name: 'model', value: ({ model }) => model },
    cell: ({ model }) =>
      model === null ? <Unknown /> : <span className="text-small text-ink2">{shortText(model, 40)}</span>,
  },
  {
    key: 'asked',
    head: 'Asked, UTC',
    phone: 'bar',
    csv: { name: 'asked_at', value: ({ asked_at }) => asked_at },
    cell: (answer) => <span className="whitespace-nowrap text-ink2">{askedText(answer)}</span>,
  },
  {
    key: 'state',
    head: 'State',
    phone: 'value',
    csv: { name: 'state', value: ({ state }) => state },
    cell: ({ state, failure }) => (
      <span title={failure === null ? undefined : failureWords(failure.code)}>
        <AnswerState state={state} />
      </span>
    ),
  },
  {
    key: 'named',
    head: 'Named',
    csv: { name: 'own_position', value: (answer) => ownMention(answer)?.position ?? null },
    cell: (answer) => <Named answer={answer} />,
  },
  {
    key: 'cited',
    head: 'Cited',
    csv: { name: 'own_citations', value: ownCitations },
    cell: (answer) => <Cited answer={answer} />,
  },
]

function Named({ answer }: { answer: BrandAnswer }) {
  if (answer.state !== 'answered') return <Unknown />
  const own = ownMention(answer)
  if (own === undefined) return <span className="text-ink3">not named</span>
  return (
    <span className="whitespace-nowrap">
      {own.position} <span className="text-ink3">of {answer.mentions.length}</span>
    </span>
  )
}

function Cited({ answer }: { answer: BrandAnswer }) {
  const cited = ownCitations(answer)
  if (cited === null || answer.state !== 'answered') return <Unknown />
  return cited === 0 ? <span className="text-ink3">not cited</span> : `${cited}`
}
