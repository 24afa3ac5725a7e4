import { afterAll, beforeAll, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import { keysOf } from '#kit/contract/field.ts'
import { asId, type Id } from '#kit/domain/id.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { refusalOf } from '#kit/server/fixtures/refusal.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { notifyEvent } from '../contract/choices.ts'
import { addTypeSet, orderTypes } from '../contract/order-type.ts'
import { orderNotifies } from '../contract/settings.ts'

let t: GoldenApp
let me: CallOptions

beforeAll(async () => {
  t = await openGoldenApp()
  me = await t.owner
})

afterAll(() => t?.close())

const nobody = asId(999_999_999)
const faultsOf = async (call: Promise<unknown>): Promise<unknown> => (await refusalOf(call)).data

it('a type names a fee item and a parent that are there', async () => {
  await t.call(addTypeSet, { typeSet: 'residential' }, me)
  const { rows } = await t.call(orderTypes.list, { size: 200 }, me)
  const type = defined(rows.find(row => row.parentId))
  const save = (values: { feeItemId: Id; parentId: Id }) =>
    t.call(orderTypes.save, { ...type, ...values }, me)
  expect(await faultsOf(save({ feeItemId: nobody, parentId: nobody }))).toEqual([
    { Field: 'ParentID', Message: '上级类型不存在或已被删除，请重新选择' },
    { Field: 'FeeItemID', Message: '收费项目不存在或已被删除，请重新选择' },
  ])
})

it('who is notified of orders, of which types and projects: all of them are there', async () => {
  const draft = {
    managerId: nobody,
    events: keysOf(notifyEvent).slice(0, 1),
    projectCodes: ['NOSUCH'],
    typeIds: ['999999999'],
    isOn: true,
  }
  expect(await faultsOf(t.call(orderNotifies.add, draft, me))).toEqual([
    { Field: 'ManagerID', Message: '通知人不存在或已被删除，请重新选择' },
    { Field: 'Projectcodes', Message: '项目不存在，请重新选择' },
    { Field: 'TypeIDs', Message: '工单类型不存在或已被删除，请重新选择' },
  ])
})
