import { chromium } from 'playwright-core'
import { readFileSync, existsSync } from 'node:fs'
const info = JSON.parse(readFileSync('/tmp/dasha-demo.log','utf8'))
const statefile='/tmp/dasha-state.json'
const [,, list, sizes='1440', themes='light'] = process.argv
const b = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
const ctx0 = await b.newContext(existsSync(statefile)?{storageState: statefile}:{})
if (!existsSync(statefile)) {
  const p = await ctx0.newPage()
  await p.goto(info.dashboard_link); await p.waitForTimeout(4000)
  console.log(p.url(), await p.title())
  await ctx0.storageState({ path: statefile })
}
const s = await (await ctx0.request.get(info.url+'/dashboard-api/getSession')).json()
const site = s.sites?.[0]?.id
console.log(site)
for (const size of sizes.split(',')) for (const theme of themes.split(',')) {
  const c = await b.newContext({ storageState: statefile, viewport: { width: Number(size), height: 900 }, colorScheme: theme, hasTouch: size<800 })
  for (const item of list.split(' ')) {
    const [name, path] = item.split('=>')
    const p = await c.newPage()
    p.on('console', m => { if (m.type()==='error') console.log(name, m.text().slice(0,300)) })
    p.on('pageerror', e => console.log(name, 'pageerror', String(e.stack).slice(0,400)))
    await p.goto(info.url + path.replace('SITE', site), { waitUntil: 'networkidle' })
    await p.waitForTimeout(500)
    const over = await p.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    if (over > 0) console.log(name, size, 'overflow', over)
    await p.screenshot({ path: `/tmp/dasha-shots/${name}-${size}-${theme}.png`, fullPage: true })
    await p.close()
  }
  await c.close()
}
await b.close()
