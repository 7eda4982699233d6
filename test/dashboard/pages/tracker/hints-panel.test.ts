import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { nginxLocations } from '../../../../dashboard/pages/tracker/hints-panel.tsx'

test('the nginx settings are those of the document', () => {
  const document = readFileSync('docs/tracker/README.md', 'utf8')
  expect(document).toContain(`\`\`\`nginx\n${nginxLocations('https://spoor.example.com')}\n\`\`\``)
})

test('without TLS there is no name of a server to send', () => {
  expect(nginxLocations('http://127.0.0.1:8080')).not.toContain('ssl')
})
