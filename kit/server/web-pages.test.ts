import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fastify from 'fastify'
import { afterAll, expect, it } from 'vitest'
import { addWebPages } from './web-pages.ts'

const folder = mkdtempSync(join(tmpdir(), 'pages-'))
const http = fastify()
addWebPages(http, folder, new Map([['home/bills', 'phone.html']]))

afterAll(async () => {
  await http.close()
  rmSync(folder, { recursive: true })
})

const policyOf = async (url: string): Promise<string> =>
  String((await http.inject({ url })).headers['content-security-policy'])

it('a page runs the script that stands in it, as it is in the file, and no other', async () => {
  const script = '{ const path = location.pathname }'
  writeFileSync(join(folder, 'index.html'), `<script>${script}</script><script src="/a.js"></script>`)
  writeFileSync(join(folder, 'a.js'), '')
  const hash = createHash('sha256').update(script).digest('base64')
  expect(await policyOf('/work')).toContain(`script-src 'self' 'sha256-${hash}';`)
  expect(await policyOf('/a.js')).toContain("script-src 'self';")
  writeFileSync(join(folder, 'index.html'), '<script src="/a.js"></script>')
  expect(await policyOf('/work')).toContain("script-src 'self';")
})

it('an address with a page of its own gets it, whatever its case, and the common one until that is built', async () => {
  const pageAt = async (url: string): Promise<string> => (await http.inject({ url })).body
  writeFileSync(join(folder, 'index.html'), 'office')
  expect(await pageAt('/home/bills')).toBe('office')
  writeFileSync(join(folder, 'phone.html'), 'phone')
  const own = ['/home/bills', '/Home/Bills/', '/home/bills?t=1']
  expect(await Promise.all(own.map(pageAt))).toEqual(own.map(() => 'phone'))
  const others = ['/home', '/home/bills/1', '/']
  expect(await Promise.all(others.map(pageAt))).toEqual(others.map(() => 'office'))
  const { headers } = await http.inject({ url: '/home/bills' })
  expect(headers['cache-control']).toBe('no-cache')
  expect(headers['content-security-policy']).toContain("script-src 'self';")
})
