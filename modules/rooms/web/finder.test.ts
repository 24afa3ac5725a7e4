import { expect, it } from 'vitest'
import { asId } from '#kit/domain/id.ts'
import { registerScreens } from '#kit/web/screen-registry.ts'
import { menu } from '../module.ts'
import { toHit } from './finder.ts'
import { paths } from './paths.ts'

const { view, edit } = menu.room.permissions
registerScreens([{ screens: [{ path: paths.cashier, title: '收银台', needs: view, workNeeds: edit }] }])

it('a room that is found leads to the cashier with its bills, for those who take money', () => {
  const hit = toHit({ id: asId(7), code: 'R7', projectCode: 'P1', path: '1-1-101', kind: 'room' }, 'P1')
  expect(hit.actions?.find(action => action.label === '收款')).toMatchObject({
    path: '/finance/chargemanage/cashier?type=10&code=R7&project=P1',
    needs: edit,
  })
})
