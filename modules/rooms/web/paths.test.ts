import { expect, it } from 'vitest'
import { parseId } from '#kit/domain/id.ts'
import { registerScreens } from '#kit/web/screen-registry.ts'
import { manifest } from '#modules/residents/module.ts'
import { roomMovesAction } from './paths.ts'

it('leads from a room to the people who move, under the right to transfer it', () => {
  registerScreens([manifest])
  const action = roomMovesAction({ id: parseId('7') })
  const screen = manifest.screens.find(s => s.path === '/customer/usermanage/residency')
  expect(action && action.label).toBe('过户与迁出')
  expect(action && action.needs).toEqual(screen?.workNeeds)
  expect(screen?.workNeeds?.label).toBe('入住与迁出·过户')
})
