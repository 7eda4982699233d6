/** The address of a ClickHouse server, from a URL in SPOOR_CLICKHOUSE_URL. */

export interface ServerAddress {
  /** Without user name and password: this part may be shown. */
  url: string
  username: string
  /** A secret: never in logs or messages. */
  password: string
}

/** The address in a URL such as `http://user:password@host:8123`; the user is `default` where none is named. */
export function serverAddress(text: string): ServerAddress {
  const url = new URL(text)
  const [username, password] = [decodeURIComponent(url.username), decodeURIComponent(url.password)]
  url.username = ''
  url.password = ''
  return { url: url.href, username: username === '' ? 'default' : username, password }
}
