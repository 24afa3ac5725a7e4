import { afterAll, beforeAll, expect, it } from 'vitest'
import { asId } from '#kit/domain/id.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { refusalOf } from '#kit/server/fixtures/refusal.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { inspectionItems, inspectionStandards } from '../contract/standard.ts'

let t: GoldenApp
let me: CallOptions

beforeAll(async () => {
  t = await openGoldenApp()
  me = await t.owner
})

afterAll(() => t?.close())

const nobody = asId(999_999_999)

it('a standard names an order type that is there, an item its standard; what is unchanged stays', async () => {
  const draft = { standardName: '引用检查', state: 'on' } as const
  expect(
    (await refusalOf(t.call(inspectionStandards.add, { ...draft, orderTypeId: nobody }, me))).data,
  ).toEqual([{ Field: 'OrderTypeID', Message: '整改工单类型不存在或已被删除，请重新选择' }])
  const standard = await t.call(inspectionStandards.add, draft, me)
  const item = { standardId: standard.id, part: '客厅', itemName: '墙面', sort: 0 }
  const added = await t.call(inspectionItems.add, item, me)
  for (const call of [
    t.call(inspectionItems.add, { ...item, standardId: nobody }, me),
    t.call(inspectionItems.edit, { ...added, standardId: nobody }, me),
  ]) {
    expect((await refusalOf(call)).data).toEqual([
      { Field: 'StandardID', Message: '验房标准不存在或已被删除，请重新选择' },
    ])
  }
  expect((await t.call(inspectionItems.edit, { ...added, itemName: '地面' }, me)).itemName).toBe('地面')
})
