import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { filesUnder, readSource, root } from '#tools/source-files.ts'
import { substitutes } from './trim-libraries-plugin.ts'

it('every file of a library that the build replaces is there', () => {
  expect(Object.keys(substitutes).filter(file => !existsSync(join(root, 'node_modules', file)))).toEqual([])
})

it('no source takes from a component what the build leaves out', () => {
  const sources = ['apps', 'kit', 'modules'].flatMap(folder => filesUnder(folder, /(?<!\.test)\.tsx?$/))
  expect(sources.length).toBeGreaterThan(500)
  expect(
    sources.filter(file =>
      /\bInput\.(TextArea|Password|Search|OTP|Group)\b|\bDropdown\.Button\b/.test(readSource(file)),
    ),
  ).toEqual([])
})
