import { expect, it } from 'vitest'
import { domains } from '#kit/contract/module.ts'
import { mapScreens } from '#kit/web/shell/screens.ts'
import { modules } from '#modules/index.ts'

/** What an eye takes in at once (screens.md §1, the panel). */
const most = 7
const screens = mapScreens(modules)
const everything = () => true

it('no group of the panel holds more than seven screens', () => {
  const crowded = (Object.keys(domains) as (keyof typeof domains)[]).flatMap(d =>
    screens
      .groups(d, everything)
      .filter(g => g.screens.length > most)
      .map(g => `${domains[d]} › ${g.title}: ${g.screens.map(s => s.title).join('、')}`),
  )
  expect(crowded).toEqual([])
})

it('no two screens of one group share a name', () => {
  const twice = (Object.keys(domains) as (keyof typeof domains)[]).flatMap(d =>
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
