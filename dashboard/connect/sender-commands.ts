/** Shell commands, with all values filled in that the page has. */

export interface CommandFilling {
  address: string
  token: string
  /** What the source delivers; at least one. */
  hosts: readonly string[]
}

const headOf = ({ token }: CommandFilling, sender: string | null): string =>
  `-H "Authorization: Bearer ${token}"${sender === null ? '' : ` -H "X-Spoor-Sender: ${sender}"`}`

/** Sends one crawler record with the current time, to test the connection from end to end. */
export function trialCommand(filling: CommandFilling, sender: string | null): string {
  const record = {
    host: filling.hosts[0],
    path: '/',
    method: 'GET',
    status: 200,
    user_agent: 'GPTBot/1.2 (my own trial)',
  }
  const fields = JSON.stringify(record).slice(1).replaceAll('"', '\\"')
  return `curl ${headOf(filling, sender)} ${filling.address}/intake/logs \\
  -d "{\\"timestamp\\":$(date +%s),${fields}"`
}

/** Sends one heartbeat per host: there were no requests in the last ten minutes. */
export const heartbeatCommand = (filling: CommandFilling, sender: string | null): string =>
  `now=$(date +%s)
for host in ${filling.hosts.join(' ')}; do
  curl ${headOf(filling, sender)} ${filling.address}/intake/logs \\
    -d "{\\"type\\":\\"heartbeat\\",\\"host\\":\\"$host\\",\\"covered_from\\":$((now - 600)),\\"covered_to\\":$now}"
done`
