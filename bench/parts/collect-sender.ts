/**
 * The generator process that bench/collect.ts starts with the port, the path, the number of connections, and the public
 * key.
 */
import { randomUUID } from 'node:crypto'
import { type KeptConnection, keepConnection, postRequest } from './kept-connections.ts'

/** The report of a round: answers, those that were not 202, and how long each took. */
export interface Round {
  answers: number
  refused: number
  milliseconds: number[]
  seconds: number
}

const [port, path, connections, key] = process.argv.slice(2)
const AGENTS = Array.from(
  { length: 40 },
  (_, at) =>
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${100 + at}.0.0.0 Safari/537.36`,
)
const PAGES = 400
const ADDRESSES = 5_000

let until = 0
let round: Round = { answers: 0, refused: 0, milliseconds: [], seconds: 0 }
let sent = 0
const open: KeptConnection[] = []

function request(): string {
  sent++
  const address = `198.${18 + ((sent >> 8) % 2)}.${(sent % ADDRESSES) >> 8}.${sent % 256}`
  const body =
    `{"v":1,"site":"${key}","type":"pageview","url":"https://example.com/articles/${sent % PAGES}",` +
    `"referrer":"https://news.example.org/","id":"${randomUUID()}"}`
  const headers = {
    Origin: 'https://example.com',
    'User-Agent': AGENTS[sent % AGENTS.length] as string,
    'X-Forwarded-For': address,
    'Content-Type': 'text/plain;charset=UTF-8',
  }
  return postRequest(path as string, headers, body)
}

function next(connection: KeptConnection): void {
  connection.send(request(), ({ status, ms }) => {
    round.answers++
    round.milliseconds.push(ms)
    if (status !== 202) round.refused++
    const ended = performance.now()
    if (ended < until) next(connection)
    else if (--running === 0) finish(ended)
  })
}

let running = 0
let began = 0

function finish(ended: number): void {
  round.seconds = (ended - began) / 1_000
  process.send?.(round)
  round = { answers: 0, refused: 0, milliseconds: [], seconds: 0 }
}

for (let at = 0; at < Number(connections); at++) open.push(keepConnection(Number(port)))
process.on('message', (seconds: number) => {
  began = performance.now()
  until = began + seconds * 1_000
  running = open.length
  for (const connection of open) next(connection)
})
process.send?.('ready')
