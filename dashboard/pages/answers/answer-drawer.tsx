import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { BrandAnswer } from '../../../src/contract/account-api/answers.ts'
import { OutsideLink } from '../../controls/outside-link.tsx'
import { Unknown } from '../../evidence/value.tsx'
import { Drawer } from '../../forms/dialog.tsx'
import { useBrandId, useBrandSearch } from '../../read/brand-search.ts'
import { readQuery } from '../../read/queries.ts'
import { Async, SkeletonRows } from '../../states/async.tsx'
import {
  CITATION_SOURCE_WORDS,
  costText,
  countryName,
  ENGINE_WORDS,
  failureWords,
  SENTIMENT_WORDS,
  SURFACE_WORDS,
  WEB_SEARCH_WORDS,
} from '../../words/brand.ts'
import { shortText, visibleText } from '../../words/foreign-text.ts'
import { AnswerState, askedText } from './columns.tsx'
import { MarkedText } from './marked-text.tsx'

/** One answer with everything that is stored about it. Its address opens it over the list. */
export function AnswerDrawer() {
  const brand = useBrandId()
  const { answer: id } = useParams({ strict: false }) as { answer?: string }
  const search = useBrandSearch()
  const navigate = useNavigate()
  const answer = useQuery(readQuery('getAnswer', { brandId: brand, answerId: String(id) }))
  // Going back must not open it again.
  const close = () =>
    void navigate({
      to: '/brands/$brand/answers',
      params: { brand },
      search,
      resetScroll: false,
      replace: true,
    } as never)
  return (
    <Drawer title="Answer" is_open onClose={close}>
      <Async query={answer} skeleton={<SkeletonRows rows={8} />}>
        {(one) => <AnswerDetail answer={one} />}
      </Async>
    </Drawer>
  )
}

export function AnswerDetail({ answer }: { answer: BrandAnswer }) {
  return (
    <div className="space-y-12 pb-8">
      <div className="space-y-4">
        <p className="text-title font-strong">{shortText(answer.question.text, 300)}</p>
        <p className="flex flex-wrap items-center gap-x-5 gap-y-2 text-dense text-ink2">
          <AnswerState state={answer.state} />
          <span>
            {ENGINE_WORDS[answer.engine] ?? answer.engine}, {SURFACE_WORDS[answer.surface] ?? answer.surface}
          </span>
          <span>{answer.model === null ? 'model unknown' : shortText(answer.model, 60)}</span>
          <span>{askedText(answer)} UTC</span>
          {answer.question.country !== null && <span>{countryWords(answer)}</span>}
        </p>
      </div>
      {answer.failure !== null && (
        <Block title="Why there is no answer">
          <p>
            {failureWords(answer.failure.code)}
            <span className="block text-small text-ink2">{shortText(answer.failure.message, 300)}</span>
          </p>
        </Block>
      )}
      {answer.text !== null && (
        <Block title="Text">
          <MarkedText text={answer.text} mentions={answer.mentions} />
        </Block>
      )}
      {answer.state === 'answered' && <Mentions answer={answer} />}
      <Citations answer={answer} />
      <Retrieval answer={answer} />
      <Block title="Cost">
        {answer.cost === null ? (
          <Unknown />
        ) : (
          <p>
            {costText(answer.cost.amount_micros, answer.cost.currency)}{' '}
            <span className="text-ink2">{answer.cost.basis}</span>
          </p>
        )}
      </Block>
      {answer.source !== null && (
        <Block title="Imported">
          <p className="text-ink2">
            {answer.source.tool === null ? 'from a file' : `from ${shortText(answer.source.tool, 40)}`}
            {answer.source.external_id !== null && ` as ${shortText(answer.source.external_id, 80)}`}
          </p>
        </Block>
      )}
    </div>
  )
}

function countryWords({ question, country_applied }: BrandAnswer): string {
  const country = countryName(question.country)
  if (country_applied === true) return `asked for ${country}`
  return country_applied === false
    ? `${country}, not passed to the engine`
    : `${country}, unknown whether it was passed on`
}

const Block = ({ title, note, children }: { title: string; note?: string | undefined; children: ReactNode }) => (
  <section className="space-y-3">
    <h3 className="text-dense font-strong">
      {title} {note !== undefined && <span className="font-normal text-ink3">{note}</span>}
    </h3>
    {children}
  </section>
)

const Mentions = ({ answer: { mentions, reported_mentions } }: { answer: BrandAnswer }) => (
  <Block title="Named" note={mentions.length === 0 ? undefined : 'in the order of the answer'}>
    {mentions.length === 0 ? (
      <p className="text-ink2">The answer names neither the brand nor a competitor.</p>
    ) : (
      <ol className="space-y-2">
        {mentions.map(({ position, name, is_own, occurrences, sentiment }) => (
          <li key={`${position} ${name}`} className="flex justify-between gap-6">
            <span className={is_own ? 'font-strong' : ''}>
              {position}. {shortText(name, 60)}
            </span>
            <span className="text-ink2">
              {occurrences === 1 ? 'once' : `${occurrences} times`}, {SENTIMENT_WORDS[sentiment] ?? sentiment}
            </span>
          </li>
        ))}
      </ol>
    )}
    {reported_mentions !== null && (
      <p className="text-small text-ink2">
        Mentions that the exporting tool reported:{' '}
        {reported_mentions.map(({ name }) => shortText(name, 60)).join(', ') || 'none'}.
      </p>
    )}
  </Block>
)

function Citations({ answer: { citations } }: { answer: BrandAnswer }) {
  return (
    <Block title="Cited" note={citations === null ? undefined : `${citations.length}`}>
      {citations === null && <p className="text-ink2">Citations were not observed: unknown, not none.</p>}
      {citations?.length === 0 && <p className="text-ink2">The answer cites nothing.</p>}
      {citations !== null && citations.length > 0 && (
        <ol className="space-y-4">
          {citations.map(({ position, url, title, source, resolved }) => (
            <li key={position} className="flex justify-between gap-6">
              <span className="min-w-0">
                <OutsideLink href={url}>{shortText(title ?? url, 100)}</OutsideLink>
                <bdi dir="ltr" className="block truncate font-mono text-code text-ink3">
                  {visibleText(url)}
                </bdi>
                {resolved === 'redirect_opaque' && (
                  <span className="text-small text-ink2">behind a redirect, whose target is unknown</span>
                )}
              </span>
              <span className={`shrink-0 ${source === 'own' ? 'font-strong' : 'text-ink2'}`}>
                {CITATION_SOURCE_WORDS[source] ?? source}
              </span>
            </li>
          ))}
        </ol>
      )}
    </Block>
  )
}

function Retrieval({ answer: { web_search, search_queries, retrieved } }: { answer: BrandAnswer }) {
  return (
    <Block title="Searched and read">
      <p className="text-ink2">{WEB_SEARCH_WORDS[web_search] ?? web_search}.</p>
      {search_queries === null ? (
        <p className="text-ink2">Its searches are unknown.</p>
      ) : (
        <ul className="space-y-2">
          {search_queries.map((query) => (
            <li key={query} className="font-mono text-code">
              {shortText(query, 200)}
            </li>
          ))}
        </ul>
      )}
      {retrieved === null ? (
        <p className="text-ink2">Which pages it read is unknown.</p>
      ) : (
        retrieved.length > 0 && (
          <ul className="space-y-2">
            {retrieved.map(({ url, title }) => (
              <li key={url}>
                <OutsideLink href={url}>{shortText(title ?? url, 100)}</OutsideLink>
              </li>
            ))}
          </ul>
        )
      )}
    </Block>
  )
}
