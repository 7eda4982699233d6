import { Steps } from '../forms/steps.tsx'
import { Panel, PanelBody } from '../states/panel.tsx'

interface FirstStepsProps {
  /** null: there is no site yet. */
  root_domain: string | null
  has_evidence: boolean
}

/** The steps of a new installation to its first number. */
export const FirstSteps = ({ root_domain, has_evidence }: FirstStepsProps) => (
  <Panel title="Steps to the first number">
    <PanelBody>
      <Steps
        steps={[
          {
            title: root_domain === null ? 'Add a site' : 'Site added',
            text: root_domain === null ? 'Only its domain is needed.' : `${root_domain}, with all its subdomains`,
            is_done: root_domain !== null,
          },
          {
            title: 'First evidence',
            text: 'One log file is enough. The receipt accounts for every line.',
            is_done: has_evidence,
          },
          {
            title: 'First number',
            text: 'Which crawlers requested which pages, and what they received.',
            is_done: has_evidence,
          },
          { title: 'Keep it coming', text: 'Without a live source, tomorrow is a gap.', is_done: false },
        ]}
      />
    </PanelBody>
  </Panel>
)
