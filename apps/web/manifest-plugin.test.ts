import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { writeListPreload } from './manifest-plugin.ts'

/** What the script of the page begins to fetch at an address. */
function preloadedAt(address: string, signedIn = false): string[] {
  const { pathname, search } = new URL(address, 'http://a')
  const links: { href?: string }[] = []
  const script = writeListPreload('assets/screens.js', ['/', '/work', '/login', '/foundPassword'])
  const scope = {
    location: { pathname, search },
    localStorage: signedIn ? { etorcurrentuser: '{}' } : {},
    document: { createElement: () => ({}), head: { append: (link: { href?: string }) => links.push(link) } },
  }
  runInNewContext(script.replace(/<\/?script>/g, ''), scope)
  return links.map(({ href }) => href ?? '')
}

it('the list of screens is fetched at once where it is needed, and not on the way to sign-in', () => {
  expect(['/', '/work', '/login', '/Login/', '/foundpassword'].flatMap(path => preloadedAt(path))).toEqual([])
  expect(preloadedAt('/work', true)).toEqual(['/assets/screens.js'])
  expect(preloadedAt('/finance')).toEqual(['/assets/screens.js'])
  expect(preloadedAt('/login?redirect=%2Ffinance')).toEqual(['/assets/screens.js'])
})
