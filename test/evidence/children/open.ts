/** Opens the evidence store of a folder, says so, and then does what the second argument names. */
import { openChdb } from '#evidence/chdb/store.ts'

const [folder = '', then] = process.argv.slice(2)
console.log('opening')
const store = await openChdb({ folder, memory_mb: 1_024 })
console.log('open')
if (then === 'SIGSEGV' || then === 'SIGBUS' || then === 'SIGILL') process.kill(process.pid, then)
if (then === 'abort') process.abort()
if (then === 'hold') setInterval(() => {}, 60_000)
else if (then === 'close') await store.close()
