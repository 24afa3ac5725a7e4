import { expect, it } from 'vitest'
import { readSource } from '#tools/source-files.ts'
import { correctLibrary, corrections } from './library-corrections.ts'

it.each(corrections)('the installed library has the place that is corrected: $file', ({ file, right }) => {
  expect(correctLibrary(file, readSource(`node_modules/${file}`))).toContain(right)
})

it('refuses a library that has changed', () => {
  expect(() => correctLibrary('@rc-component/select/es/Select.js', 'changed')).toThrow('no longer has')
})
