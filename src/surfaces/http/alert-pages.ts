/** The pages behind links of e-mails: agree to alerts, or end them, without signing in (rules 8.6). */
import type { FastifyInstance, FastifyReply } from 'fastify'
import { refuseOtherMethods } from './unsupported-methods.ts'

export interface AlertPagesApi {
  /** Whom a link is about; undefined: it is not in force. */
  find(link: 'confirm' | 'unsubscribe', token: string): Promise<{ target: string; root_domain: string } | undefined>
  /** False: the link is not in force. */
  confirm(token: string): Promise<boolean>
  unsubscribe(token: string): Promise<boolean>
}

/** Nothing is loaded, and the form goes nowhere else. */
const POLICY = "default-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
const FORM = /^[\w-]{43}$/

const WORDS = {
  confirm: {
    title: 'Alerts by e-mail',
    question: (target: string, site: string) => `Send alerts about ${site} to ${target}?`,
    button: 'Agree',
    done: 'Alerts are sent to your address from now on. Every e-mail has a link that ends them.',
  },
  unsubscribe: {
    title: 'No more alerts',
    question: (target: string, site: string) => `Send no more alerts about ${site} to ${target}?`,
    button: 'End these e-mails',
    done: 'No more alerts about this site are sent to your address.',
  },
} as const

/**
 * `GET` shows a question and changes nothing, because programs open links of e-mails; `POST` answers it. One-click
 * unsubscription (RFC 8058) posts without the page; whatever a body holds is not read.
 */
export function registerAlertPages(app: FastifyInstance, api: AlertPagesApi): void {
  for (const link of ['confirm', 'unsubscribe'] as const) {
    const url = `/alerts/${link}/:token`
    const words = WORDS[link]
    app.get<{ Params: { token: string } }>(url, async ({ params: { token } }, reply) => {
      const found = FORM.test(token) ? await api.find(link, token) : undefined
      if (found === undefined) return notInForce(reply)
      const { target, root_domain } = found
      const button = `<form method="post"><button>${words.button}</button></form>`
      return page(reply, 200, words.title, `<p>${escapeText(words.question(target, root_domain))}</p>${button}`)
    })
    app.post<{ Params: { token: string } }>(url, async ({ params: { token } }, reply) => {
      const is_done = FORM.test(token) && (await api[link](token))
      return is_done ? page(reply, 200, words.title, `<p>${words.done}</p>`) : notInForce(reply)
    })
    refuseOtherMethods(app, url, ['GET', 'POST'])
  }
}

const notInForce = (reply: FastifyReply) =>
  page(
    reply,
    404,
    'Link not in force',
    '<p>This link was never issued, has expired, or its address was removed. An owner of the site can add the address again.</p>',
  )

function page(reply: FastifyReply, status: number, title: string, body: string): FastifyReply {
  return reply
    .code(status)
    .type('text/html; charset=utf-8')
    .headers({ 'content-security-policy': POLICY })
    .send(
      `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><meta name="robots" content="noindex"><title>${title}</title></head>` +
        `<body><h1>${title}</h1>${body}</body></html>\n`,
    )
}

const escapeText = (text: string): string => text.replace(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`)
