import { expect, it } from 'vitest'
import { menuSections } from '#kit/contract/module.ts'
import { buildScreenMap } from '#kit/web/shell/screen-map.ts'
import { modules } from '#modules/index.ts'
import { menuGroups } from '#apps/web/menu-groups.ts'

/** The most screens a group may hold (screens.md §1, the panel). */
const maxScreens = 7
const screens = buildScreenMap(modules, menuGroups)
const everything = () => true

it('no group of the panel holds more than seven screens', () => {
  const crowded = (Object.keys(menuSections) as (keyof typeof menuSections)[]).flatMap(d =>
    screens
      .groups(d, everything)
      .filter(g => g.screens.length > maxScreens)
      .map(g => `${menuSections[d]} › ${g.title}: ${g.screens.map(s => s.title).join('、')}`),
  )
  expect(crowded).toEqual([])
})

it('no two screens of one group share a name', () => {
  const twice = (Object.keys(menuSections) as (keyof typeof menuSections)[]).flatMap(d =>
    screens
      .groups(d, everything)
      .flatMap(g =>
        g.screens
          .filter((s, i) => g.screens.findIndex(x => x.title === s.title) !== i)
          .map(s => `${d} › ${g.title} › ${s.title}`),
      ),
  )
  expect(twice).toEqual([])
})

it('收费 is ordered by the day, settings last, and every named group is there', () => {
  const groups = screens.groups('fee', everything).map(g => g.title)
  expect(groups).toEqual(menuGroups)
  expect(screens.groups('fee', everything)[0]?.screens[0]?.title).toBe('收银台')
})
