/** One of two processes that count requests of one account as fast as they can, and say how many passed. */
import { once } from 'node:events'
import { openPostgresQuotas } from '#control/quotas/postgres-quotas.ts'
import { openSqliteQuotas } from '#control/quotas/sqlite-quotas.ts'

const [place = '', requests = '0', now = '0'] = process.argv.slice(2)
const quotas = place.startsWith('postgres') ? openPostgresQuotas(place) : openSqliteQuotas(place)
await quotas.read('nobody')
console.log('ready')
await once(process.stdin, 'data')
let passed = 0
const count = async () => {
  const { is_counted } = await quotas.count('account', Number(now))
  if (is_counted) passed++
}
for (let left = Number(requests); left > 0; left -= 16) {
  await Promise.all(Array.from({ length: Math.min(16, left) }, count))
}
await quotas.close()
console.log(String(passed))
process.stdin.destroy()
