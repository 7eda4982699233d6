/**
 * Decides what an import stores: which answers are new, which are known, and which have changed content (account API
 * 3).
 */
import { utcDay } from '#days/utc-day.ts'
import { identifyAnswer } from './answer-identity.ts'
import { type AnswerRecord, RecordFault } from './answer-record.ts'
import type { ReadRecord } from './read-answer-file.ts'
import type { AnswerKey } from './read-answers.sql.ts'

/** The facts of a stored answer by which repeats are recognized. */
export interface StoredAnswer {
  content_sha256: string
  /** The day under which it is stored; null: it is of the same import. */
  day: string | null
  revision: number
}

export interface PlannedAnswer {
  /** The same for the same answer in any file of any import. */
  answer_id: string
  content_sha256: string
  record: AnswerRecord
  question_id: string
  /** Of the stored answer that it replaces; null: it is new. */
  replaced_revision: number | null
}

export interface RefusedRecord {
  place: number
  external_id: string | null
  code: RecordFault['code']
  message: string
}

/** The plan and the result of an import. The sum of its numbers is the number of records in the file. */
export interface PlanReceipt {
  records: number
  stored: number
  replaced: number
  duplicates: number
  refused: RefusedRecord[]
}

export interface ImportPlanInput {
  brand_id: string
  records: Iterable<ReadRecord>
  /** The id of the brand's question with this text and country; null: it has none. */
  questionIdOf(record: AnswerRecord): string | null
  /** Records whose question the brand lacks, and whose answer is known with another question. */
  moved_to_new: ReadonlySet<AnswerRecord>
  /** What is stored under these ids. */
  findStored(answer_ids: readonly string[]): Promise<ReadonlyMap<string, StoredAnswer>>
  /** Whether changed content of a known answer replaces it instead of being refused. */
  replaces: boolean
}

export interface ImportPlan {
  /** To be stored, in the order of the file. */
  answers: PlannedAnswer[]
  /** The places of replaced answers that now belong to another day. */
  moved: AnswerKey[]
  receipt: PlanReceipt
}

/** The answers to store, and the receipt of the import. */
export async function planImport(input: ImportPlanInput): Promise<ImportPlan> {
  const receipt: PlanReceipt = { records: 0, stored: 0, replaced: 0, duplicates: 0, refused: [] }
  const found: (PlannedAnswer & { place: number })[] = []
  const equals = new Map<string, number>()
  for (const read of input.records) {
    receipt.records += 1
    if ('fault' in read) {
      receipt.refused.push(refusedRecord(read.place, read.external_id, read.fault))
      continue
    }
    const question_id = input.questionIdOf(read.record)
    if (question_id === null) {
      const fault = input.moved_to_new.has(read.record) ? changed() : unknownQuestion()
      receipt.refused.push(refusedRecord(read.place, read.record.external_id, fault))
    } else
      found.push({
        place: read.place,
        question_id,
        replaced_revision: null,
        ...identifyAnswer(input.brand_id, question_id, read.record, equals),
      })
  }
  const stored = new Map(await input.findStored(found.map(({ answer_id }) => answer_id)))
  const answers = new Map<string, PlannedAnswer>()
  const moved: AnswerKey[] = []
  for (const { place, ...answer } of found) {
    const known = stored.get(answer.answer_id)
    if (known?.content_sha256 === answer.content_sha256) receipt.duplicates += 1
    else if (known !== undefined && !input.replaces) {
      receipt.refused.push(refusedRecord(place, answer.record.external_id, changed()))
    } else {
      receipt[known === undefined ? 'stored' : 'replaced'] += 1
      const { answer_id, content_sha256, record } = answer
      const [day, revision] = known === undefined ? [null, 0] : [known.day, known.revision]
      // If a file has an answer twice, the later one replaces the earlier one.
      answers.set(answer_id, { ...answer, replaced_revision: known === undefined ? null : revision })
      if (day !== null && day !== utcDay(record.asked_at)) moved.push({ day, answer_id })
      stored.set(answer_id, { content_sha256, day, revision })
    }
  }
  return { answers: [...answers.values()], moved, receipt }
}

const refusedRecord = (place: number, external_id: string | null, { code, message }: RecordFault): RefusedRecord => ({
  place,
  external_id,
  code,
  message,
})

const unknownQuestion = () =>
  new RecordFault('unknown_question', 'The brand has no question with this text and country: create it first.')
const changed = () =>
  new RecordFault('changed', 'An answer with this identity is stored with other content: replace it, or leave it out.')
