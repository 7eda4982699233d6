/** Finds possible fixes for a brand, from the four origins of fixes (decisions 6). */

import { areNamesChanged } from '../answers/mention-version.ts'
import { readRivalDomains } from '../competitors.ts'
import type { FoundBrand } from '../find-brand.ts'
import { trackedSums } from '../reports/report.sql.ts'
import { readSums } from '../reports/report-rows.ts'
import { type CitedFilter, citedByQuestion, citedPlaces } from '../urls/cited-pages.sql.ts'
import { issuesOf, type OpenIssue, pagesOf, readOpenIssues } from '../urls/issues-of-pages.ts'
import {
  dataBlock,
  type FixCandidate,
  type FixesContext,
  type FixQuestion,
  readFixQuestions,
  recentAnswers,
  shortened,
} from './candidate.ts'
import { answersNaming } from './naming-rivals.sql.ts'

/** The fewest answers that name or cite competitors for a fix. */
const MIN_ANSWERS = 3
const MAX_PLACES = 200
const MAX_QUESTIONS_SHOWN = 50
/** The questions of one statement. */
const QUESTIONS_AT_ONCE = 1_000

export async function findCandidates(ctx: FixesContext, brand: FoundBrand): Promise<FixCandidate[]> {
  const issues = brand.site_id === null ? [] : await readOpenIssues(ctx.control.db, brand.site_id)
  const questions = await readFixQuestions(ctx, brand)
  return [
    ...issues.map(accessFix),
    // Until answers are searched for the names of now, they say nothing of who is named in them.
    ...((await areNamesChanged(ctx.control, brand)) ? [] : await contentFixes(ctx, brand, questions)),
    ...(await ownPageFixes(ctx, brand, { issues, questions })),
    ...(await rivalPageFixes(ctx, brand, questions)),
  ]
}

/** Crawlers cannot fetch a page: the issue has the remedy. */
const accessFix = ({ id, title, description, fix_prompt }: OpenIssue): FixCandidate => ({
  kind: 'access',
  subject: ['issue', id],
  title,
  evidence_refs: [{ kind: 'issue', id }],
  description:
    description ?? 'Crawlers of AI engines cannot fetch pages of the site, so answers cannot be based on these pages.',
  fix_prompt:
    fix_prompt ??
    `${title}\n\nThe cause is not certain: read the issue and its inspections before you change anything.`,
})

/** Questions on which answers name competitors and never the brand. */
async function contentFixes(
  ctx: FixesContext,
  brand: FoundBrand,
  questions: ReadonlyMap<string, FixQuestion>,
): Promise<FixCandidate[]> {
  const filter = await recentAnswers(ctx, brand)
  const sums = Map.groupBy(await readSums(ctx.evidence, filter, 'window'), ({ question_id }) => question_id)
  const lost = [...sums].flatMap(([id, rows]) => {
    const question = questions.get(id)
    const answers = rows.reduce((sum, { missed }) => sum + missed, 0)
    const is_lost = rows.every(({ naming }) => naming === 0) && answers >= MIN_ANSWERS
    return question === undefined || question.is_branded || !is_lost ? [] : [{ question, answers }]
  })
  if (lost.length === 0) return []
  const rivals = await rivalNames(ctx, brand)
  const tracked = await ctx.evidence.all(trackedSums(filter))
  const shown = new Map<string, string[]>()
  for (let at = 0; at < lost.length; at += QUESTIONS_AT_ONCE) {
    const ids = lost.slice(at, at + QUESTIONS_AT_ONCE).map(({ question }) => question.id)
    for (const row of await ctx.evidence.all(answersNaming(filter, ids))) {
      shown.set(row.question_id, [...(shown.get(row.question_id) ?? []), row.answer_id])
    }
  }
  return lost.map(({ question, answers }): FixCandidate => {
    const named = tracked.filter((row) => row.question_id === question.id)
    const names = named.flatMap(({ tracked_id }) => rivals.get(tracked_id) ?? [])
    return {
      kind: 'content',
      subject: ['question', question.id],
      title: `Competitors are named on “${shortened(question.text)}”, ${brand.name} is not`,
      description:
        `In 30 days ${answers} answers to this question named ${names.join(', ')} and none named ${brand.name}. ` +
        'Pages that answer the question give engines a reason to name the brand.',
      evidence_refs: [
        { kind: 'question', id: question.id },
        ...(shown.get(question.id) ?? []).map((id) => ({ kind: 'answer' as const, id })),
      ],
      fix_prompt: [
        `Answers of AI engines to a question name competitors of ${brand.name} and not ${brand.name}.`,
        dataBlock({ question: question.text, competitors: names, answers }),
        `Find the page of ${brand.domains.join(', ') || 'the site'} that should answer this question; write it if there is none.`,
        'Answer the question in its first paragraph, in plain sentences, with facts that can be checked, and name the brand.',
        'State nothing untrue, hide nothing from people that crawlers see, and do not write about competitors what you cannot prove.',
      ].join('\n\n'),
    }
  })
}

/** Own pages that answers cite although crawlers are harmed there. */
async function ownPageFixes(
  ctx: FixesContext,
  brand: FoundBrand,
  { issues, questions }: { issues: readonly OpenIssue[]; questions: ReadonlyMap<string, FixQuestion> },
): Promise<FixCandidate[]> {
  if (issues.length === 0) return []
  const filter: CitedFilter = { answers: await recentAnswers(ctx, brand), dimension: 'url', source: 'own', rivals: [] }
  const places = await ctx.evidence.all(citedPlaces(filter, { limit: MAX_PLACES, offset: 0 }))
  const harmed = places.flatMap((place) => {
    const [issue] = issuesOf(issues, pagesOf(place.shown))
    return issue === undefined ? [] : [{ ...place, issue }]
  })
  if (harmed.length === 0) return []
  const cited = await ctx.evidence.all(
    citedByQuestion(
      filter,
      harmed.map(({ place }) => place),
    ),
  )
  return harmed.map(({ place, shown, issue, answers_citing }) => {
    const asked = cited.filter((row) => row.place === place && questions.has(row.question_id))
    return {
      kind: 'citation',
      subject: ['own_url', place],
      title: `Answers cite ${shortened(shown)}, which crawlers cannot fetch`,
      description:
        `In 30 days ${answers_citing} answers cited this page of ${brand.name}, while crawlers met harm there. ` +
        'Engines stop citing pages that they cannot fetch again.',
      evidence_refs: [
        { kind: 'url', url: shown },
        { kind: 'issue', id: issue.id },
        ...asked.slice(0, MAX_QUESTIONS_SHOWN).map(({ question_id: id }) => ({ kind: 'question' as const, id })),
      ],
      fix_prompt: [
        `Answers of AI engines cite a page of ${brand.name} that their crawlers cannot fetch.`,
        dataBlock({ url: shown, answers: answers_citing, issue: issue.title }),
        issue.fix_prompt ?? 'The cause is not certain: read the issue and its inspections before you change anything.',
      ].join('\n\n'),
    }
  })
}

/** Pages of competitors that answers to a question cite again and again. */
async function rivalPageFixes(
  ctx: FixesContext,
  brand: FoundBrand,
  questions: ReadonlyMap<string, FixQuestion>,
): Promise<FixCandidate[]> {
  const rivals = await readRivalDomains(ctx.control.db, brand.id)
  if (rivals.length === 0) return []
  const answers = await recentAnswers(ctx, brand)
  const filter: CitedFilter = { answers, dimension: 'url', source: 'competitor', rivals }
  const places = await ctx.evidence.all(citedPlaces(filter, { limit: MAX_PLACES, offset: 0 }))
  const often = new Map(places.filter((row) => row.answers_citing >= MIN_ANSWERS).map((row) => [row.place, row.shown]))
  if (often.size === 0) return []
  const cited = await ctx.evidence.all(citedByQuestion(filter, [...often.keys()]))
  return cited.flatMap(({ place, question_id, answers_citing }): FixCandidate[] => {
    const question = questions.get(question_id)
    const shown = often.get(place)
    if (question === undefined || shown === undefined || answers_citing < MIN_ANSWERS) return []
    return [
      {
        kind: 'citation',
        subject: ['competitor_url', question_id, place],
        title: `Answers to “${shortened(question.text)}” cite ${shortened(shown)}`,
        description:
          `In 30 days ${answers_citing} answers to this question cited a page of a competitor. ` +
          `A page of ${brand.name} that answers it better can be cited instead.`,
        evidence_refs: [
          { kind: 'question', id: question_id },
          { kind: 'url', url: shown },
        ],
        fix_prompt: [
          `Answers of AI engines to a question cite a page of a competitor of ${brand.name}.`,
          dataBlock({ question: question.text, url: shown, answers: answers_citing }),
          'Read that page: which of its facts, figures and sections do answers repeat?',
          `Then improve the page of ${brand.domains.join(', ') || 'the site'} on this subject, or write it: own facts, sources, ` +
            'a clear title, and everything in the text of the page itself. Copy nothing.',
        ].join('\n\n'),
      },
    ]
  })
}

async function rivalNames({ control }: FixesContext, brand: FoundBrand): Promise<Map<string, string>> {
  const rows = await control.db
    .selectFrom('competitors')
    .select(['id', 'name'])
    .where('brand_id', '=', brand.id)
    .execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}
