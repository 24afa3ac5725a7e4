import { defined } from '#kit/domain/defined.ts'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '../../..')

/** Classes and movements that a style sheet declares for any place. */
const declared = (file: string): string[] => {
  const text = readFileSync(join(root, file), 'utf8')
  return [...text.matchAll(/^\.([\w-]+) \{/gm), ...text.matchAll(/@keyframes ([\w-]+)/g)].map(m =>
    defined(m[1]),
  )
}

it('a number has one frame of focus: the ring of its box', () => {
  const base = readFileSync(join(root, 'kit/web/theme/base.css'), 'utf8')
  expect(base).toMatch(/:root \.ant-input-number-input:focus-visible \{ outline: none; \}/)
})

it('no style sheet redefines a class of the base', () => {
  const base = new Set(declared('kit/web/theme/base.css'))
  const twice = globSync(['kit/web/**/*.css', 'modules/*/web/**/*.css', 'apps/web/**/*.css'], { cwd: root })
    .filter(file => !file.endsWith('theme/base.css'))
    .flatMap(file =>
      declared(file)
        .filter(name => base.has(name))
        .map(name => `${file}: ${name}`),
    )
  expect(base.size).toBeGreaterThan(10)
  expect(twice).toEqual([])
})
