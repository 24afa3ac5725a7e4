import { expect, it } from 'vitest'
import { listPathOf, registerScreens } from './screen-registry.ts'

it('a page of one record leads back to the list above it, else to the first of its module', () => {
  const screen = (path: string, group?: string, redirectTo?: string) => ({
    path,
    title: path,
    needs: undefined,
    ...(group && { group }),
    ...(redirectTo && { redirectTo }),
  })
  registerScreens([
    {
      screens: [
        screen('/people', '客户', '/people/list'),
        screen('/people/list', '客户'),
        screen('/people/list/edit'),
        screen('/people/list/day/:id'),
        screen('/persondetail'),
      ],
    },
  ])
  expect(listPathOf('/people/list/edit')).toBe('/people/list')
  expect(listPathOf('/people/list/day/7')).toBe('/people/list')
  expect(listPathOf('/persondetail')).toBe('/people/list')
  expect(listPathOf('/elsewhere')).toBeUndefined()
})
