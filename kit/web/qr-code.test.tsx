import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { QrCode } from './qr-code.tsx'

it('a code is dark on light with four light modules around it, whatever the theme', () => {
  const drawn = renderToStaticMarkup(<QrCode type="svg" value="20260141" size={208} />)
  expect(drawn).toContain('fill="white"')
  expect(drawn).toContain('fill="black"')
  // 21 modules of the smallest code, and four on each side.
  expect(drawn).toContain('viewBox="0 0 29 29"')
})

it('every QR code of the product is this one', () => {
  const root = join(import.meta.dirname, '../..')
  const users = ['kit', 'modules', 'apps']
    .flatMap(folder =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(path => join(folder, path)),
    )
    .filter(path => path.endsWith('.tsx') && !path.includes('node_modules'))
    .filter(path => /\bQRCode\b[^;]*?from 'antd/.test(readFileSync(join(root, path), 'utf8')))
  expect(users).toEqual(['kit/web/qr-code.tsx'])
})
