/** Examples of every command, which end its help, by its names. Each must parse (test/cli/examples.test.ts). */

export const EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  serve: [
    'serve',
    'serve --host 0.0.0.0 --port 8080 --data /var/lib/spoor',
    'serve --clock 2026-03-01T00:00:00Z   # an archived log, read as of its time',
  ],
  demo: ['demo', 'demo --port 8080 --days 30'],
  import: [
    'import example.com /var/log/nginx/access.log',
    "import example.com '/var/log/nginx/access.log*' --server web1",
    'import www.example.com other.log --host www.example.com --timezone Europe/Berlin',
    'import example.com - < access.log',
  ],
  report: [
    'report example.com',
    'report example.com --crawler gptbot --window 90d',
    'report example.com --purpose all --csv > report.csv',
    'report example.com --events',
  ],
  backup: ['backup spoor-2026-03-01.tar', 'backup spoor.tar --force'],
  restore: ['restore spoor-2026-03-01.tar', 'restore spoor.tar --data ./restored', 'restore spoor.tar --replace'],
  doctor: ['doctor', 'doctor --json', 'doctor --clock 2026-03-01T00:00:00Z'],
  completion: ['completion bash', 'completion fish'],

  'answers import': [
    'answers import answers.json --brand Acme --create-questions',
    'answers import canonry-results.json --brand Acme --from canonry',
    'answers import answers.csv --brand Acme --replace --json',
  ],
  'site add': ['site add example.com', 'site add example.com --json'],
  'site list': ['site list'],
  'site remove': ['site remove example.com', 'site remove example.com --yes --json'],
  'site retention': ['site retention example.com', 'site retention example.com 365'],
  'site privacy-floor': ['site privacy-floor example.com', 'site privacy-floor example.com 5'],

  'key create': [
    'key create --name reading',
    'key create example.com shop.example --name dashboard --user ann@example.com',
    'key create example.com --name ci --secret-file key.txt',
  ],
  'key list': ['key list'],
  'key revoke': ['key revoke spoor_site_Zk3v'],

  'user add': ['user add ann@example.com', 'user add ann@example.com --operator --secret-file link.txt'],
  'user list': ['user list'],
  'user reset-link': ['user reset-link', 'user reset-link ann@example.com'],
  'user remove': ['user remove ann@example.com'],

  'member add': ['member add example.com --user ann@example.com --role viewer'],
  'member list': ['member list example.com'],
  'member set-role': ['member set-role example.com --user ann@example.com --role owner'],
  'member remove': ['member remove example.com --user ann@example.com'],

  'account show': ['account show'],
  'account suspend': ['account suspend'],
  'account activate': ['account activate'],

  'gate list': ['gate list example.com'],
  'gate set': ['gate set example.com crawler_authority_v2 on'],
  'authority list': ['authority list example.com'],
  'authority assign': ['authority assign example.com www.example.com web1 --from 2026-03-01'],

  'source add': [
    'source add example.com --name web1',
    'source add example.com --name web1 --secret-file /etc/vector/spoor.token',
  ],
  'source connect': [
    'source connect example.com --zone',
    'source connect example.com --zone example.com --token-file cloudflare.token',
  ],
  'source list': ['source list example.com'],
  'source primary': ['source primary web1 on'],
  'source retire': ['source retire 7a1f6c52-5f0e-4a4e-8d1c-0b7f3f7d9e11 --into web1'],
  'source disconnect': ['source disconnect web1'],
  'source reconnect': ['source reconnect web1'],
  'source token create': ['source token create web1 --name vector'],
  'source token list': ['source token list web1'],
  'source token revoke': ['source token revoke spoor_src_8Qpl'],
  'source sender list': ['source sender list web1'],
  'source sender retire': ['source sender retire web1 old-host'],

  'tracker enable': ['tracker enable example.com'],
  'tracker disable': ['tracker disable example.com'],
  'tracker show': ['tracker show example.com'],
  'tracker opt-out': ['tracker opt-out example.com', 'tracker opt-out example.com ignore'],
  'tracker key create': ['tracker key create example.com', 'tracker key create example.com --kind public'],
  'tracker key list': ['tracker key list example.com'],
  'tracker key revoke': ['tracker key revoke example.com spoor_srv_c1Rt'],

  'alert add': [
    'alert add example.com --webhook https://hooks.example.com/spoor',
    'alert add example.com --webhook-file ./url --event issue.opened --event issue.digest --secret-file ./secret',
    'alert add example.com --email ada@example.org',
  ],
  'alert list': ['alert list example.com'],
  'alert test': ['alert test example.com https://hooks.example.com', 'alert test example.com ada@example.org'],
  'alert rotate': ['alert rotate example.com https://hooks.example.com --secret-file ./secret'],
  'alert remove': ['alert remove example.com ada@example.org'],
  'alert delivery list': ['alert delivery list example.com', 'alert delivery list example.com --limit 200'],

  'property add': [
    'property add example.com signup plan --kind enum --value free --value pro',
    'property add example.com signup seats --kind integer',
  ],
  'property list': ['property list example.com', 'property list example.com --all'],
  'property edit': ['property edit example.com signup plan --value free --value pro --value team'],
  'property end': ['property end example.com signup plan'],

  'conversion add': [
    'conversion add example.com --name "Signed up" --event signup',
    'conversion add example.com --name "Signed up for pro" --event signup --rule plan=pro',
    'conversion add example.com --name Pricing --page /pricing',
  ],
  'conversion list': ['conversion list example.com', 'conversion list example.com --all'],
  'conversion edit': ['conversion edit example.com "Signed up" --event registered'],
  'conversion archive': ['conversion archive example.com "Signed up"'],

  'funnel add': [
    'funnel add example.com --name Checkout --step page:/cart --step page:/pay --step conversion:Paid',
    'funnel add example.com --json-file funnel.json',
  ],
  'funnel list': ['funnel list example.com', 'funnel list example.com --all'],
  'funnel show': ['funnel show example.com Checkout', 'funnel show example.com checkout-4f'],
  'funnel edit': ['funnel edit example.com checkout --name "Checkout 2026"'],
  'funnel archive': ['funnel archive example.com checkout'],

  'registry show': ['registry show'],
  'registry update': ['registry update', 'registry update registry.json'],
  'registry use': ['registry use 2026-03-01.1'],
  'registry lists list': ['registry lists list'],
  'registry lists import': ['registry lists import gptbot.json --list gptbot'],
  'registry lists remove': ['registry lists remove gptbot'],
  'registry lists update': ['registry lists update'],
}
