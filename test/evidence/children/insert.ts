/** Inserts batches of 500 facts of one month for ever; says the number of each batch once it is acknowledged. */
import { openChdb } from '#evidence/chdb/store.ts'
import { jsonRows } from '#evidence/rows/json-rows.ts'
import { fact } from '../facts.ts'

const [folder = ''] = process.argv.slice(2)
const store = await openChdb({ folder, memory_mb: 1_024 })
for (let batch = 0; ; batch++) {
  const events = Array.from({ length: 500 }, (_, at) => fact({ event: String(batch * 500 + at) }))
  await store.insert('requests', jsonRows(events), 500)
  console.log(batch)
}
