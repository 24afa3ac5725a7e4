import { expect, it } from 'vitest'
import { offlinePages } from '#apps/web/offline-pages.ts'
import { modules } from '#modules/index.ts'
import { screenFileOf } from './product-map.ts'

it('the build keeps the pages of exactly the screens that are to open without a network', () => {
  const declared = modules.flatMap(({ name, screens }) =>
    screens.filter(({ offline }) => offline).map(screen => screenFileOf(modules, name, screen)),
  )
  expect([...offlinePages].toSorted()).toEqual(declared.toSorted())
})

it('a page without a network is outside the shell, and its scope holds no other page', () => {
  const all = modules.flatMap(({ screens }) => screens)
  for (const { path } of all.filter(({ offline }) => offline)) {
    expect([path, all.find(other => other.path === path)?.standalone]).toEqual([path, true])
    const within = all.filter(other => other.path.startsWith(path))
    expect([path, within.length]).toEqual([path, 1])
  }
})
