import { INSERT_COLUMNS } from '#evidence/tables.ts'

type Column = (typeof INSERT_COLUMNS.requests)[number]

/** The row of one observed request for `insert('requests', …)`, with what a test wants otherwise. */
export function fact(given: Partial<Record<Column, string | number | null>>): (string | number | null)[] {
  const row: Record<Column, string | number | null> = {
    site_id: '00000000-0000-4000-8000-000000000001',
    day: '2026-03-01',
    event: '1',
    at: '2026-03-01 10:00:00.000',
    precision: 'exact',
    source_id: '00000000-0000-4000-8000-000000000002',
    delivery_id: '00000000-0000-4000-8000-000000000003',
    reading: 0,
    requests: 1,
    provider_estimate: null,
    host: 'example.com',
    path: '/',
    path_fidelity: 'exact',
    path_class: 'content',
    status: 200,
    status_raw: 0,
    method: 'GET',
    edge_action: null,
    user_agent: 'TestBot/1.0',
    agent_key: '1',
    received_at: '2026-03-02 00:00:00.000',
    ...given,
  }
  return INSERT_COLUMNS.requests.map((column) => row[column] ?? null)
}
