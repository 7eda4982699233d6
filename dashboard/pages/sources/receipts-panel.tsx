import type { UseQueryResult } from '@tanstack/react-query'
import { ReceiptBlock } from '../../connect/receipt.tsx'
import { ChevronIcon } from '../../controls/icons.tsx'
import type { ReadOutput } from '../../read/operations.ts'
import { Async, SkeletonRows } from '../../states/async.tsx'
import { Panel } from '../../states/panel.tsx'
import { instantText } from '../../words/days.ts'
import { shortText } from '../../words/foreign-text.ts'
import { receiptSentence } from '../../words/receipts.ts'

/** The receipts of uploaded logs, the newest first. */
export const ReceiptsPanel = ({ receipts }: { receipts: UseQueryResult<ReadOutput<'getReceipts'>> }) => (
  <Panel title="Uploads" note="The newest 20; every line is accounted for">
    <Async query={receipts} skeleton={<SkeletonRows rows={2} />}>
      {({ receipts: listed }) =>
        listed.length === 0 ? (
          <p className="px-8 pb-8 text-ink2">No log has been uploaded yet.</p>
        ) : (
          <ul>
            {listed.map(({ id, label, imported_at, receipt }) => (
              <li key={id} className="border-t border-line">
                <details className="group/receipt">
                  <summary className="flex min-h-19 flex-wrap items-baseline gap-x-8 px-8 py-4 max-tablet:px-6">
                    <ChevronIcon className="-mr-4 h-7 w-7 self-center group-open/receipt:rotate-180" />
                    <span className="min-w-0 font-mono text-code">{shortText(label)}</span>
                    <span className="text-dense text-ink3">{instantText(imported_at)} UTC</span>
                    <span className="text-dense text-ink2">{receiptSentence(receipt)}</span>
                  </summary>
                  <div className="px-8 pb-8 max-tablet:px-6">
                    <ReceiptBlock receipt={receipt} />
                  </div>
                </details>
              </li>
            ))}
          </ul>
        )
      }
    </Async>
  </Panel>
)
