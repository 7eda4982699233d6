import { expect, test } from 'vitest'
import { domainOf } from '../../../dashboard/connect/add-site.tsx'

test('of a pasted address the host is used; anything else is sent to the service unchanged', () => {
  expect(domainOf(' https://www.example.com/shop?a=b ')).toBe('www.example.com')
  expect(domainOf('example.com')).toBe('example.com')
  expect(domainOf('http://')).toBe('http://')
})
