import { expect, test } from 'vitest'
import { domainOf } from '../../../dashboard/connect/add-site.tsx'

test('of a pasted address the host is taken; anything else goes to the service as it is', () => {
  expect(domainOf(' https://www.example.com/shop?a=b ')).toBe('www.example.com')
  expect(domainOf('example.com')).toBe('example.com')
  expect(domainOf('http://')).toBe('http://')
})
