import { lockFolder } from '#control/folder-lock.ts'

await lockFolder(process.argv[2] ?? '')
console.log('locked')
setTimeout(() => undefined, 60_000)
