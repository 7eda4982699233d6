/** What an uploaded log leaves behind (rules 3, Uploads; rules 4, Import identity). */
import { minutesOf, type Upload, uploadsOf, type Visit } from '../events.ts'
import { dayNamed, startOf } from '../time.ts'
import { identityOf } from './identity.ts'
import { addSource, type Ledger, noteEvidence, observedTimeOf, observerOf, type Source } from './ledger.ts'
import { DECLARED, mark, OBSERVED, PART, WHOLE } from './observed-time.ts'
import { joins, stretchesOf } from './silences.ts'

export function receiveUpload(ledger: Ledger, upload: Upload): void {
  const name = uploadsOf(upload.server)
  const source = ledger.sources.get(name) ?? addSource(ledger, name, 'log_upload', upload.server)
  noteEvidence(ledger, source)
  const humans = minutesOf(upload)
  const minutes = [...humans, ...upload.visits.map(({ at }) => at)]
  const host = upload.host ?? '*'
  const why = whyPartial(ledger, upload, humans.length)
  const what = why === '' ? WHOLE : PART
  const spans = source.spans.get(host) ?? []
  source.spans.set(host, [...spans, ...stretchesOf(minutes, { file: ++source.files, what, why }, ledger.broken)])
  coverLines(source, host)
  let through = Math.max(...minutes)
  if (upload.covers !== null) {
    const [from, to] = [startOf(dayNamed(upload.covers.from)), startOf(dayNamed(upload.covers.to) + 1)]
    mark(observedTimeOf(observerOf(source, source.name), host), from, to, what | DECLARED)
    noteSpan(source, from, to)
    through = Math.max(through, to)
  }
  const observer = observerOf(source, source.name)
  observer.delivered_at = ledger.now
  observer.through.all = Math.max(observer.through.all ?? through, through)
  if (humans.length > 0) source.has_statuses = true
  storeLines(ledger, source, upload)
}

/** Partial without a human, with over 1 % unreadable lines, or when its owner says so; empty for a whole one. */
function whyPartial({ broken }: Ledger, upload: Upload, humans: number): string {
  const lines = humans + upload.visits.length + upload.unreadable
  const unreadable = upload.unreadable / lines > 0.01 && broken !== 'unreadable_lines_do_not_matter'
  const filtered = humans === 0 && broken !== 'logs_without_humans_are_whole'
  if (upload.is_partial) return 'declared'
  return filtered ? 'no humans' : unreadable ? 'unreadable' : ''
}

/** Drawn anew from all files of the host, beside what is declared. */
function coverLines(source: Source, host: string): void {
  const spans = source.spans.get(host) ?? []
  const time = observedTimeOf(observerOf(source, source.name), host)
  for (const { first, last, what } of spans) {
    mark(time, first, last + 1, what | OBSERVED)
    noteSpan(source, first, last + 1)
  }
  for (const { from, to, what } of joins(spans)) mark(time, from, to, what | OBSERVED)
}

function noteSpan(source: Source, from: number, to: number): void {
  const observer = observerOf(source, source.name)
  observer.first = Math.min(observer.first, from)
  observer.last = Math.max(observer.last, to)
}

/** A line is its text plus its place among the same lines of its file, so the most often repeated file decides. */
function storeLines(ledger: Ledger, source: Source, upload: Upload): void {
  const counted = new Map<string, { visit: Visit; times: number }>()
  for (const given of upload.visits) {
    const visit = { ...given, host: upload.host ?? given.host }
    const text = JSON.stringify(visit)
    counted.set(text, { visit, times: (counted.get(text)?.times ?? 0) + 1 })
    if (visit.status !== null) source.has_statuses = true
  }
  for (const [text, { visit, times }] of counted) {
    const stored = source.lines.get(text)
    if (stored === undefined) {
      const fact = { ...visit, source: source.name, requests: times, identity: identityOf(ledger, visit) }
      source.lines.set(text, fact)
      source.facts.push(fact)
    } else if (ledger.broken === 'repeated_lines_count_twice') stored.requests += times
    else stored.requests = Math.max(stored.requests, times)
  }
}
