/** Plays a history on the evaluator: what each question of it should be answered with. */
import type { Event } from '../events.ts'
import { dayNamed } from '../time.ts'
import { type Expected, expectAnswers } from './answers.ts'
import { assign, interrupt, resume, setGate } from './assignments.ts'
import type { Broken } from './broken.ts'
import { settleOpenDay } from './counting.ts'
import { receiveBatch } from './intake.ts'
import { addSource, emptyLedger, type Ledger, sourceOf } from './ledger.ts'
import { receiveUpload } from './upload.ts'

/** One for each `ask` of the history, in its order. */
export function expectAll(events: readonly Event[], broken: Broken = null): Expected[] {
  const ledger = emptyLedger(0, broken)
  return events.flatMap((event) => {
    if (event.do === 'ask') return [expectAnswers(ledger, event)]
    apply(ledger, event)
    return []
  })
}

function apply(ledger: Ledger, event: Exclude<Event, { do: 'ask' }>): void {
  switch (event.do) {
    case 'clock':
      ledger.now = event.to
      return
    case 'connect':
      addSource(ledger, event.source, 'https_intake')
      return
    case 'batch':
      recorded(ledger, () => receiveBatch(ledger, event))
      return
    case 'upload':
      recorded(ledger, () => receiveUpload(ledger, event))
      return
    case 'refused':
      if (ledger.broken !== 'refused_batches_count') return
      receiveBatch(ledger, {
        ...event.seen,
        do: 'batch',
        source: event.source,
        sender: null,
        heartbeats: [],
        is_repeated: false,
      })
      return
    case 'primary':
      sourceOf(ledger, event.source).may_count = event.is_primary
      return
    case 'gate':
      setGate(ledger, event.is_open)
      return
    case 'assign':
      assign(ledger, event.host, { day: dayNamed(event.from), source: event.source })
      return
    case 'disconnect':
      sourceOf(ledger, event.source).status = 'disconnected'
      interrupt(ledger, event.source)
      return
    case 'revoke':
      sourceOf(ledger, event.source).status = 'revoked'
      return
    case 'token':
      sourceOf(ledger, event.source).tokens++
      sourceOf(ledger, event.source).status = 'pending'
      return
    case 'reconnect': {
      const source = sourceOf(ledger, event.source)
      // Uploads are never pending.
      source.status = source.type === 'log_upload' ? 'live' : 'pending'
      resume(ledger, event.source)
      return
    }
    case 'retire_sender': {
      const sender = sourceOf(ledger, event.source).observers.get(event.sender)
      if (sender !== undefined) sender.is_retired = true
      return
    }
  }
}

function recorded(ledger: Ledger, work: () => void): void {
  settleOpenDay(ledger)
  work()
  settleOpenDay(ledger)
}
