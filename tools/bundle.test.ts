import { defined } from '#kit/domain/defined.ts'
import { expect, it } from 'vitest'
import { findChunkCycles, findOversized, sizeLimits, type Bundle } from './bundle.ts'

const light: Bundle = {
  entry: 170,
  signIn: sizeLimits.signIn,
  shell: sizeLimits.shell,
  firstList: sizeLimits.firstList,
  firstFile: 'modules/rooms/web/list.tsx',
  screens: [
    { file: 'modules/rooms/web/list.tsx', own: sizeLimits.screen, whole: sizeLimits.firstList, scripts: 40 },
  ],
  crowded: [],
  cycles: [],
  residents: [
    { file: 'modules/resident-page/web/home.tsx', own: 2, whole: sizeLimits.residentHome, scripts: 8 },
    { file: 'modules/visitors/web/host.tsx', own: 60, whole: sizeLimits.residentPage, scripts: 8 },
  ],
}

it('accepts sizes at their limit, and names whatever exceeds it', () => {
  expect(findOversized(light)).toEqual([])
  expect(findOversized({ ...light, signIn: sizeLimits.signIn + 0.2 })).toEqual([
    `sign-in: ${(sizeLimits.signIn + 0.2).toFixed(1)} kB gz, bar ${sizeLimits.signIn}`,
  ])
  const heavier = light.residents.map(page => ({ ...page, whole: page.whole + 1 }))
  expect(findOversized({ ...light, residents: heavier })).toEqual([
    `modules/resident-page/web/home.tsx, for residents: ${(sizeLimits.residentHome + 1).toFixed(1)} kB gz, bar ${sizeLimits.residentHome}`,
    `modules/visitors/web/host.tsx, for residents: ${(sizeLimits.residentPage + 1).toFixed(1)} kB gz, bar ${sizeLimits.residentPage}`,
  ])
  expect(findOversized({ ...light, shell: sizeLimits.shell + 1 })).toEqual([
    `shell: ${(sizeLimits.shell + 1).toFixed(1)} kB gz, bar ${sizeLimits.shell}`,
  ])
  expect(findOversized({ ...light, firstList: sizeLimits.firstList + 12 })[0]).toContain(
    'modules/rooms/web/list.tsx',
  )
  expect(
    findOversized({ ...light, screens: [{ ...defined(light.screens[0]), own: sizeLimits.screen + 1 }] }),
  ).toHaveLength(1)
  expect(
    findOversized({ ...light, screens: [{ ...defined(light.screens[0]), whole: sizeLimits.whole + 1 }] }),
  ).toEqual([
    `modules/rooms/web/list.tsx, all: ${(sizeLimits.whole + 1).toFixed(1)} kB gz, bar ${sizeLimits.whole}`,
  ])
  expect(findOversized({ ...light, crowded: [{ file: 'modules/rooms/web/list.tsx', scripts: 41 }] })).toEqual(
    ['modules/rooms/web/list.tsx: 41 script files, bar 40'],
  )
})

it('names script files that import each other', () => {
  const chunks = {
    page: { file: 'page.js', imports: ['points', 'base'] },
    points: { file: 'points.js', imports: ['extensions'] },
    extensions: { file: 'extensions.js', imports: ['base', 'points'] },
    base: { file: 'base.js' },
  }
  expect(findChunkCycles(chunks)).toEqual(['points', 'extensions'])
  expect(findChunkCycles({ ...chunks, points: { file: 'points.js', imports: ['base'] } })).toEqual([])
  expect(findOversized({ ...light, cycles: ['points'] })).toEqual(['points: imported by what it imports'])
})
