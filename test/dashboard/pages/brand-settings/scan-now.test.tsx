import { expect, test } from 'vitest'
import { askedEngines, ScanNowForm } from '../../../../dashboard/pages/brand-settings/scan-now.tsx'
import { render, textOf } from '../../render.tsx'

const nothing = () => undefined

test('only engines with a key are offered', () => {
  const room = { active_question_limit: 100, active_question_count: 1 }
  expect(
    askedEngines({
      ...room,
      engines: [
        { engine: 'copilot', basis: 'imported' },
        { engine: 'gemini', basis: 'both' },
        { engine: 'chatgpt', basis: 'configured' },
        { engine: 'claude', basis: 'imported' },
      ],
    }),
  ).toEqual(['chatgpt', 'gemini'])
})

test('without any, it says what is missing', async () => {
  const form = <ScanNowForm brand="b" engines={[]} onClose={nothing} />
  const text = textOf(await render(form, { at: '/settings/engines' }))
  expect(text).toContain('No engine has a key yet.')
})
