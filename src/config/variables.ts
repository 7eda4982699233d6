/** Every environment variable of the service; docs/configuration.md is generated from it. */

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const

/**
 * Every variable with its default: texts have a pattern and its `form` in words, choices values, numbers bounds, and
 * `zero` where 0 stands outside of them for something else.
 */
export const VARIABLES = {
  SPOOR_DATA: {
    default: './data',
    pattern: /^(?=.*\S).+$/,
    form: 'a folder',
    description:
      'Folder of the embedded stores; `--data` overrides it. Without both, commands look for a running server’s folder first, see docs/operating/scripts.md.',
  },
  SPOOR_DATABASE_URL: {
    default: '',
    pattern: /^postgres(ql)?:\/\/\S+$/,
    form: 'a URL such as postgres://user:password@host:5432/database, with special characters of the password percent-encoded',
    is_secret: true,
    description:
      'PostgreSQL database of the control store; without it, SQLite in the data folder. A secret: never logged.',
  },
  SPOOR_CLICKHOUSE_URL: {
    default: '',
    pattern: /^https?:\/\/[^\s,?#]+(,https?:\/\/[^\s,?#]+)*$/,
    form: 'a list of URLs such as http://user:password@host:8123, separated by commas',
    is_secret: true,
    description:
      'ClickHouse servers that hold the same evidence: Spoor uses the first that answers. Without it, the embedded store in the data folder. Needs `SPOOR_DATABASE_URL`; a comma in a password is `%2C`. A secret: never logged.',
  },
  SPOOR_CLICKHOUSE_CLUSTER: {
    default: '',
    pattern: /^[A-Za-z_][\w-]{0,63}$/,
    form: 'the name of a cluster: letters, digits, _ and -',
    description:
      'Name of the cluster, in the configuration of the ClickHouse servers, over which the evidence is spread and replicated; empty for a single server. Do not change it once evidence is stored.',
  },
  SPOOR_COLLECT_MODE: {
    default: 'auto',
    choices: ['auto', 'direct', 'local', 'shared'],
    description:
      'Where events are durable before `/collect` answers: `direct` in the evidence store, `local` on a disk that comes back with the node, `shared` on a file system that all nodes see (`SPOOR_COLLECT_FOLDER`). `auto`: `direct` with `SPOOR_CLICKHOUSE_URL`, else `local`, the only mode with the embedded store. See docs/operating/nodes.md.',
  },
  SPOOR_COLLECT_FOLDER: {
    default: '',
    pattern: /^\/.+$/,
    form: 'an absolute path of a folder',
    description: 'The folder that all nodes see, for `SPOOR_COLLECT_MODE=shared`.',
  },
  SPOOR_NODE_NAME: {
    default: '',
    pattern: /^[\w.-]{1,100}$/,
    form: '1 to 100 letters, digits, dots, hyphens and underscores',
    description: 'Name of this node among several; empty for the name of the machine.',
  },
  SPOOR_HOST: {
    default: '127.0.0.1',
    pattern: /^\S+$/,
    form: 'an address or a host name',
    description: 'Address that the service listens on; `--host` overrides it.',
  },
  SPOOR_PORT: {
    default: 8080,
    minimum: 0,
    maximum: 65_535,
    description: 'Port that the service listens on, 0 for any free one; `--port` overrides it.',
  },
  SPOOR_LOG_LEVEL: {
    default: 'info',
    choices: LOG_LEVELS,
    description: 'How much the service logs to standard error.',
  },
  SPOOR_DEPRECATED_ROUTES: {
    default: 'on',
    choices: ['on', 'off'],
    description:
      'Whether the deprecated routes of the account API answer; with `off` they are 404, and not in its OpenAPI document.',
  },
  SPOOR_SUPPORT_EMAIL: {
    default: '',
    pattern: /^[^@\s]+@[^@\s]+$/,
    form: 'an e-mail address',
    description: 'Contact address in the OpenAPI document; empty for none.',
  },
  SPOOR_EVIDENCE_MEMORY_MB: {
    default: 0,
    // With 40 the engine does not lay out its tables, and with 56 it does not store a small log.
    minimum: 64,
    maximum: 16_777_216,
    zero: '40 % of the machine or container',
    description:
      'Maximum memory of the embedded evidence store, in MiB; 0 means 40 % of the machine or container. 64 is enough to start and to answer about a small site.',
  },
  SPOOR_PUBLIC_URL: {
    default: '',
    pattern: /^https?:\/\/[^\s/?#@]+$/,
    form: 'a scheme and a host without a path, such as https://spoor.example.com',
    description:
      'Address at which browsers reach the service, for example through a proxy; empty for the address it listens on.',
  },
  SPOOR_TRUSTED_PROXIES: {
    default: '127.0.0.0/8,::1',
    addresses: true,
    description: 'Proxies whose `X-Forwarded-For` is believed; `none` for no proxy at all.',
  },
  SPOOR_WATCHDOG_SECONDS: {
    default: 30,
    minimum: 0,
    maximum: 86_400,
    description:
      'After so many seconds without a sign of life the launcher kills the service and starts it again; 0 turns that off.',
  },
  SPOOR_METRICS_LISTEN: {
    default: '127.0.0.1:9464',
    pattern: /^(off|\[[\da-f:.]+\]:\d{1,5}|[^\s:]+:\d{1,5})$/i,
    form: 'an address and a port, such as 127.0.0.1:9464, or off',
    description: 'Address and port of `/metrics`, port 0 for any free one; `off` for none.',
  },
  SPOOR_METRICS_TOKEN: {
    default: '',
    pattern: /^[\w.~+/-]{16,256}=*$/,
    form: '16 to 256 letters, digits and . _ ~ + / -',
    description: 'Bearer token for `/metrics`; needed when other machines can reach it.',
    is_secret: true,
  },
  SPOOR_ALLOW_NETWORKS: {
    default: '',
    addresses: true,
    description:
      'Networks that the service may send requests to besides public addresses, for example `10.0.0.0/8`. Cloud metadata, its own listeners and its stores stay refused.',
  },
  SPOOR_ALLOW_PORTS: {
    default: '',
    ports: true,
    description: 'Ports that the service may send requests to besides 80 and 443.',
  },
  SPOOR_DNS_SERVERS: {
    default: '',
    pattern: /^[\da-fA-F.:[\]]+(,[\da-fA-F.:[\]]+)*$/,
    form: 'a list of addresses such as 192.0.2.53 or 192.0.2.53:5353, separated by commas',
    description: 'Name servers for reverse DNS of crawlers and for outgoing requests; empty for those of the machine.',
  },
  SPOOR_SECRET_KEY: {
    default: '',
    pattern: /^([\da-f]{64}|[\w+/-]{43}=?)$/i,
    form: '32 random bytes as 64 hexadecimal digits or as base64, for example from openssl rand -hex 32',
    is_secret: true,
    description: 'Key that seals stored secrets; without it, `secret.key` in the data folder.',
  },
  SPOOR_SMTP_URL: {
    default: '',
    pattern: /^smtps?:\/\/(?:[^\s/?#@]+@)?[^\s/?#@]+\/?$/,
    form: 'a URL such as smtp://user:password@mail.example.com:587, or smtps:// for TLS from the start',
    is_secret: true,
    description:
      'SMTP server for e-mails about alerts; empty for none. User name and password are percent-encoded, and are sent over TLS only.',
  },
  SPOOR_SMTP_FROM: {
    default: '',
    pattern: /^[^@\s<>,;:"]+@[^@\s<>,;:"]+$/,
    form: 'an e-mail address',
    description: 'Sender address of e-mails about alerts; needed with `SPOOR_SMTP_URL`.',
  },
  SPOOR_CLOUDFLARE_API_URL: {
    default: 'https://api.cloudflare.com/client/v4',
    pattern: /^https?:\/\/\S*[^\s/]$/,
    form: 'an http or https URL without a slash at the end',
    description: 'Base URL of Cloudflare’s API.',
  },
  SPOOR_URL: {
    default: 'http://127.0.0.1:8080',
    pattern: /^https?:\/\/[^\s?#@]+$/,
    form: 'an http or https URL such as https://spoor.example.com',
    description: 'The server whose tools `spoor mcp` offers; nothing else reads it.',
  },
  SPOOR_TOKEN: {
    default: '',
    pattern: /^spoor_acct_[\w-]+$/,
    form: 'an account token (spoor_acct_…), which spoor token create prints',
    is_secret: true,
    description: 'The account token that `spoor mcp` sends to `SPOOR_URL`; nothing else reads it.',
  },
  SPOOR_SEARCH_CONSOLE_API_URL: {
    default: 'https://www.googleapis.com/webmasters/v3',
    pattern: /^https?:\/\/\S*[^\s/]$/,
    form: 'an http or https URL without a slash at the end',
    description: 'Base URL of the Search Console API.',
  },
  SPOOR_GOOGLE_TOKEN_URL: {
    default: 'https://oauth2.googleapis.com/token',
    pattern: /^https?:\/\/\S*[^\s/]$/,
    form: 'an http or https URL without a slash at the end',
    description: 'URL at which Google issues access tokens for a service account.',
  },
  SPOOR_BING_WEBMASTER_API_URL: {
    default: 'https://ssl.bing.com/webmaster/api.svc/json',
    pattern: /^https?:\/\/\S*[^\s/]$/,
    form: 'an http or https URL without a slash at the end',
    description: 'Base URL of Bing’s Webmaster API.',
  },
} as const
