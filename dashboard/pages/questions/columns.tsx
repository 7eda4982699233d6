import type { BrandQuestion } from '../../../src/contract/account-api/questions.ts'
import { Button } from '../../controls/button.tsx'
import { PageLink } from '../../controls/page-link.tsx'
import { ROW_LINK } from '../../tables/path-text.tsx'
import type { Column } from '../../tables/table-types.ts'
import { ANSWER_STATE_WORDS, countryName, ENGINE_WORDS, QUESTION_KIND_WORDS } from '../../words/brand.ts'
import { dayText } from '../../words/days.ts'
import { shortText } from '../../words/foreign-text.ts'

interface QuestionColumnsProps {
  brand: string
  forbidden: string | undefined
  onArchive: (question: BrandQuestion) => void
  onRestore: (question: BrandQuestion) => void
  onRemove: (question: BrandQuestion) => void
}

export const questionColumns = (props: QuestionColumnsProps): Column<BrandQuestion>[] => [
  {
    key: 'text',
    head: 'Question',
    cell: (question) => <QuestionCell {...props} question={question} />,
  },
  {
    key: 'country',
    head: 'Country',
    phone: 'hidden',
    cell: ({ country }) => <span className="whitespace-nowrap text-ink2">{countryName(country)}</span>,
  },
  {
    key: 'kind',
    head: 'Kind',
    phone: 'hidden',
    cell: ({ kind }) => <span className="whitespace-nowrap text-ink2">{QUESTION_KIND_WORDS[kind] ?? kind}</span>,
  },
  {
    key: 'last',
    head: 'Last answer per engine',
    phone: 'hidden',
    cell: (question) => <LastAnswers question={question} />,
  },
  { key: 'actions', head: '', phone: 'hidden', cell: (question) => <Actions {...props} question={question} /> },
]

interface QuestionCellProps extends QuestionColumnsProps {
  question: BrandQuestion
}

/** On phones, this column also has the content of the others. */
function QuestionCell(props: QuestionCellProps) {
  const { id, text, tags, status, kind, country } = props.question
  return (
    <>
      <PageLink
        to="/brands/$brand/answers"
        params={{ brand: props.brand }}
        search={{ question_id: id }}
        className={ROW_LINK}
      >
        {shortText(text, 300)}
      </PageLink>
      {status === 'archived' && <span className="ml-4 text-small text-ink3">archived</span>}
      {tags.length > 0 && (
        <span className="block text-small text-ink3">{tags.map((tag) => shortText(tag, 40)).join(', ')}</span>
      )}
      <span className="mt-3 block space-y-2 tablet:hidden">
        <span className="block text-small text-ink2">
          {QUESTION_KIND_WORDS[kind] ?? kind} · {countryName(country)}
        </span>
        <LastAnswers question={props.question} />
        <Actions {...props} />
      </span>
    </>
  )
}

function LastAnswers({ question: { last_asked } }: { question: BrandQuestion }) {
  if (last_asked.length === 0) return <span className="text-ink2">not asked yet</span>
  return (
    <ul className="flex flex-wrap gap-x-5 text-small text-ink2">
      {last_asked.map(({ engine, asked_at, state }) => (
        <li key={engine} className="whitespace-nowrap">
          {ENGINE_WORDS[engine] ?? engine} {dayText(asked_at.slice(0, 10))}
          {state !== 'answered' && (
            <span className="font-medium text-warn"> {(ANSWER_STATE_WORDS[state] ?? state).toLowerCase()}</span>
          )}
        </li>
      ))}
    </ul>
  )
}

function Actions({ question, forbidden, onArchive, onRestore, onRemove }: QuestionCellProps) {
  const name = shortText(question.text, 60)
  return (
    <span className="relative z-10 -ml-5 flex gap-2 tablet:justify-end">
      {question.status === 'active' ? (
        <Button kind="quiet" forbidden={forbidden} aria-label={`Archive ${name}`} onClick={() => onArchive(question)}>
          Archive
        </Button>
      ) : (
        <Button kind="quiet" forbidden={forbidden} aria-label={`Restore ${name}`} onClick={() => onRestore(question)}>
          Restore
        </Button>
      )}
      <Button kind="quiet" forbidden={forbidden} aria-label={`Delete ${name}`} onClick={() => onRemove(question)}>
        Delete
      </Button>
    </span>
  )
}
