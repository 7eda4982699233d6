import type { AccessCheck } from '../../../src/contract/site-api/index.ts'
import { Panel, PanelBody } from '../../states/panel.tsx'
import { PanelColumn, PanelColumns } from '../../states/report-page.tsx'
import { instantText } from '../../words/days.ts'
import { shortText } from '../../words/foreign-text.ts'
import { Connection, Directives } from './connection.tsx'
import { Hops } from './hops.tsx'
import { checkLimitationWords } from './limitations.ts'
import { Verdicts } from './verdicts.tsx'

/** The responses of the check, step by step, including steps that were not reached. */
export const CheckResult = ({ check }: { check: AccessCheck }) => (
  <>
    <p className="flex flex-wrap gap-x-8 gap-y-2 text-dense text-ink2">
      <span>{instantText(check.checked_at)} UTC</span>
      <bdi className="font-mono text-code [overflow-wrap:anywhere]">{shortText(check.normalized_url, 400)}</bdi>
      <span>requested as {shortText(check.agent, 200)}</span>
    </p>
    <PanelColumns>
      <PanelColumn>
        <Verdicts check={check} />
        <Hops check={check} />
      </PanelColumn>
      <PanelColumn>
        <Connection check={check} />
        <Directives check={check} />
        {check.limitations.length > 0 && (
          <Panel title="What this does not show">
            <PanelBody>
              <ul className="list-disc space-y-3 pl-8 text-dense text-ink2">
                {check.limitations.map((code) => (
                  <li key={code}>{checkLimitationWords(code)}</li>
                ))}
              </ul>
            </PanelBody>
          </Panel>
        )}
      </PanelColumn>
    </PanelColumns>
  </>
)
