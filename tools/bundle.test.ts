import { expect, it } from 'vitest'
import { bars, tooHeavy, type Bundle } from './bundle.ts'

const light: Bundle = {
  entry: 170,
  signIn: bars.signIn,
  shell: bars.shell,
  firstList: bars.firstList,
  firstFile: 'modules/rooms/web/list.tsx',
  screens: [{ file: 'modules/rooms/web/list.tsx', own: bars.screen, whole: bars.firstList }],
}

it('lets pass what weighs its bar, and names whatever is heavier', () => {
  expect(tooHeavy(light)).toEqual([])
  expect(tooHeavy({ ...light, signIn: bars.signIn + 0.2 })).toEqual([
    `sign-in: ${(bars.signIn + 0.2).toFixed(1)} kB gz, bar ${bars.signIn}`,
  ])
  expect(tooHeavy({ ...light, shell: bars.shell + 1 })).toEqual([
    `shell: ${(bars.shell + 1).toFixed(1)} kB gz, bar ${bars.shell}`,
  ])
  expect(tooHeavy({ ...light, firstList: bars.firstList + 12 })[0]).toContain('modules/rooms/web/list.tsx')
  expect(tooHeavy({ ...light, screens: [{ ...light.screens[0]!, own: bars.screen + 1 }] })).toHaveLength(1)
  expect(tooHeavy({ ...light, screens: [{ ...light.screens[0]!, whole: bars.whole + 1 }] })).toEqual([
    `modules/rooms/web/list.tsx, all: ${(bars.whole + 1).toFixed(1)} kB gz, bar ${bars.whole}`,
  ])
})
