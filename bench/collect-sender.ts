/**
 * A generator of its own, cheaper than the service it loads: keep-alive connections of HTTP/1.1 without pipelining, one
 * request under way on each. Started by bench/collect.ts with the port, the path, how many connections, and the public
 * key.
 */
import { randomUUID } from 'node:crypto'
import { connect, type Socket } from 'node:net'

/** What a round reported: answers, those that were not 202, and how long each took. */
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
const sockets: { socket: Socket; next: () => void }[] = []

function request(): string {
  sent++
  const address = `198.${18 + ((sent >> 8) % 2)}.${(sent % ADDRESSES) >> 8}.${sent % 256}`
  const body =
    `{"v":1,"site":"${key}","type":"pageview","url":"https://example.com/articles/${sent % PAGES}",` +
    `"referrer":"https://news.example.org/","id":"${randomUUID()}"}`
  return (
    `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: https://example.com\r\nUser-Agent: ${AGENTS[sent % AGENTS.length]}\r\n` +
    `X-Forwarded-For: ${address}\r\nContent-Type: text/plain;charset=UTF-8\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  )
}

function open(): { socket: Socket; next: () => void } {
  const socket = connect(Number(port), '127.0.0.1')
  socket.setNoDelay(true)
  let started = 0
  let text = ''
  const next = () => {
    started = performance.now()
    socket.write(request())
  }
  socket.on('data', (chunk: Buffer) => {
    text = text === '' ? chunk.toString('latin1') : text + chunk.toString('latin1')
    const head = text.indexOf('\r\n\r\n')
    if (head === -1) return
    const at = text.toLowerCase().indexOf('content-length: ')
    const length = at === -1 || at > head ? 0 : Number.parseInt(text.slice(at + 16, at + 24), 10)
    if (text.length < head + 4 + length) return
    const ended = performance.now()
    round.answers++
    round.milliseconds.push(ended - started)
    if (text.slice(9, 12) !== '202') round.refused++
    text = ''
    if (ended < until) next()
    else if (--running === 0) finish(ended)
  })
  socket.on('error', (error) => {
    throw error
  })
  return { socket, next }
}

let running = 0
let began = 0

function finish(ended: number): void {
  round.seconds = (ended - began) / 1_000
  process.send?.(round)
  round = { answers: 0, refused: 0, milliseconds: [], seconds: 0 }
}

for (let at = 0; at < Number(connections); at++) sockets.push(open())
process.on('message', (seconds: number) => {
  began = performance.now()
  until = began + seconds * 1_000
  running = sockets.length
  for (const { next } of sockets) next()
})
process.send?.('ready')
