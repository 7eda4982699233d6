import type { Purpose } from '../../../src/contract/vocabulary.ts'
import { Value } from '../../evidence/value.tsx'
import type { ReadOutput } from '../../read/operations.ts'
import { instantText } from '../../words/days.ts'
import { visibleText } from '../../words/foreign-text.ts'
import { counted } from '../../words/numbers.ts'
import { PURPOSE_WORDS } from '../../words/purposes.ts'

type Report = ReadOutput<'registry.update'>
type History = Report['changes'][number]['before']

interface ReplayReportProps {
  report: Report
  /** When it came into force; undefined: just now. */
  adopted_at?: string | undefined
}

/** What another registry version changed: before → after, for each crawler with other requests, purpose or identity. */
export const ReplayReport = ({ report: { before, after, changes }, adopted_at }: ReplayReportProps) => (
  <section aria-label="What the registry changed" role="status" className="space-y-5 rounded-control bg-sunken p-7">
    <p className="font-strong">
      {before === null ? `Version ${after} is in force.` : `From version ${before} to ${after}.`}{' '}
      {changes.length === 0
        ? 'No crawler’s history changed.'
        : `${counted(changes.length, 'crawler')} changed, over all sites and all history.`}
      {adopted_at !== undefined && (
        <span className="block text-dense font-normal text-ink2">In force since {instantText(adopted_at)} UTC.</span>
      )}
    </p>
    {changes.length > 0 && (
      <div className="overflow-x-auto">
        <table className="w-full border-collapse text-dense">
          <caption className="sr-only">Crawlers before and after</caption>
          <thead>
            <tr className="text-left text-small text-ink3">
              <th scope="col" className="sticky left-0 bg-sunken py-2 pr-6 font-normal">
                Crawler
              </th>
              <th scope="col" className="py-2 pr-6 font-normal">
                Requests
              </th>
              <th scope="col" className="py-2 pr-6 font-normal">
                Purpose
              </th>
              <th scope="col" className="py-2 font-normal">
                Network verified
              </th>
            </tr>
          </thead>
          <tbody>
            {changes.map(({ crawler_id, before: was, after: is }) => (
              <tr key={crawler_id} className="border-t border-line">
                <th scope="row" className="sticky left-0 bg-sunken py-3 pr-6 text-left font-medium">
                  {visibleText(crawler_id)}
                </th>
                <td className="py-3 pr-6">
                  <Change was={countOf(was)} is={countOf(is)} />
                </td>
                <td className="py-3 pr-6">{purposeChange(was, is)}</td>
                <td className="py-3">
                  <Change was={verifiedOf(was)} is={verifiedOf(is)} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    )}
  </section>
)

/** Counts before and after; a version without the crawler has none. */
const Change = ({ was, is }: { was: number | null; is: number | null }) => (
  <span className="whitespace-nowrap">
    {was === null ? <Absent /> : <Value value={was} />} <span aria-hidden="true">→</span>
    <span className="sr-only"> then </span> {is === null ? <Absent /> : <Value value={is} />}
  </span>
)
const Absent = () => <span className="text-ink2">not known</span>

const countOf = (history: History) => (history === null ? null : history.requests)
const verifiedOf = (history: History) => (history === null ? null : history.identities.network_verified)

function purposeChange(was: History, is: History): string {
  const words = (history: History) =>
    history === null ? 'not known' : (PURPOSE_WORDS[history.purpose as Purpose] ?? history.purpose)
  return words(was) === words(is) ? words(is) : `${words(was)} → ${words(is)}`
}
