import { expect, test } from 'vitest'
import { hostsFault, hostsOf } from '../../../dashboard/connect/hosts.ts'
import { heartbeatCommand, trialCommand } from '../../../dashboard/connect/sender-commands.ts'

test('hosts of the site are accepted as typed, others are refused with what is allowed', () => {
  expect(hostsOf(' example.com, WWW.example.com\nexample.com')).toEqual(['example.com', 'www.example.com'])
  expect(hostsFault('example.com www.example.com', 'example.com')).toBeUndefined()
  expect(hostsFault('example.com notexample.com', 'example.com')).toBe(
    '"notexample.com" is not a host of this site; enter example.com or hosts that end in .example.com.',
  )
  expect(hostsFault('$(id).example.com', 'example.com')).toMatch(/is not a host/)
  expect(hostsFault(' ', 'example.com')).toMatch(/^The field is empty; /)
})

test('commands name the hosts: a trial the first one, heartbeats each of them', () => {
  const filling = {
    address: 'https://spoor.example.org',
    token: 'spoor_src_1',
    hosts: ['www.example.com', 'example.com'],
  }
  expect(trialCommand(filling, null)).toContain('\\"host\\":\\"www.example.com\\"')
  expect(heartbeatCommand(filling, 'nginx-1')).toBe(
    [
      'now=$(date +%s)',
      'for host in www.example.com example.com; do',
      '  curl -H "Authorization: Bearer spoor_src_1" -H "X-Spoor-Sender: nginx-1" https://spoor.example.org/intake/logs \\',
      '    -d "{\\"type\\":\\"heartbeat\\",\\"host\\":\\"$host\\",\\"covered_from\\":$((now - 600)),\\"covered_to\\":$now}"',
      'done',
    ].join('\n'),
  )
})
