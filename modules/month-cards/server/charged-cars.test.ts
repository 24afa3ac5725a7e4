import { afterAll, beforeAll, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { asFen } from '#kit/domain/money.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { importBills } from '#modules/bills/contract/import.ts'
import { listBills } from '#modules/bills/contract/list.ts'
import { addTempFee } from '#modules/bills/contract/temporary.ts'
import { batchBind } from '#modules/fees/contract/binding-calls.ts'
import { listRelationsOfSource } from '#modules/fees/contract/relation-calls.ts'
import { cars, type Car } from '#modules/parking/contract/car.ts'
import { findPayers, getCashierView } from '#modules/payments/contract/cashier.ts'
import { payBills } from '#modules/payments/contract/payment.ts'
import { topUp } from '#modules/prestore/contract/account.ts'
import { listResidents } from '#modules/residents/contract/resident.ts'
import { openMonthCardFixture, projectCode, type MonthCardFixture } from './month-card.fixtures.ts'

let f: MonthCardFixture
let feeItemId: Id

beforeAll(async () => {
  f = await openMonthCardFixture()
  feeItemId = await f.t.addFeeItem('GBF', { name: '工本费', feeType: 'temporary', multi: true })
})

afterAll(() => f?.t.close())

const sourceOf = (row: Car) => ({ sourceType: 'car', sourceCode: String(row.id) }) as const

const charge = (row: Car, amount: number) =>
  f.t.call(addTempFee, { projectCode, feeItemId, amount: asFen(amount), sources: [sourceOf(row)] }, f.me)

const find = (keyword: string) => f.t.call(findPayers, { projectCode, keyword }, f.me)

const upload = (csv: string): CallOptions => ({
  ...f.me,
  upload: { ...f.t.upload('账单.csv', new TextEncoder().encode(csv)), name: '账单.csv', type: 'text/csv' },
})

async function importLine(name: string): Promise<void> {
  const csv = `对象类型,房号,收费项目,账期起,账期止,金额\n车辆,${name},工本费,2026-11-01,2026-11-30,12.00\n`
  const { importId } = await f.t.call(importBills.post, { projectCode }, upload(csv))
  const start = { projectCode, importId: defined(importId), mode: 'skip' }
  const { taskId } = await f.t.call(importBills.post, start, f.me)
  expect((await f.t.waitForTask(defined(taskId))).success).toBe(1)
}

it('a fee of a car is found at the cashier by a part of its plate, however it is written', async () => {
  const row = await f.addCar({ plateNo: '粤MA9988' })
  await charge(row, 2_000)
  for (const keyword of ['A9988', '粤m·a9988', '9988']) {
    expect(await find(keyword)).toContainEqual(
      expect.objectContaining({
        ...sourceOf(row),
        sourceName: '粤MA9988',
        note: '车辆',
        count: 1,
        unpaid: 2_000,
      }),
    )
  }
  const view = await f.t.call(getCashierView, { projectCode, ...sourceOf(row) }, f.me)
  expect(view).toMatchObject({ sourceName: '粤MA9988', payerName: '钱一', relation: '车主' })
  expect(view.groups.flatMap(group => group.bills)).toHaveLength(1)
})

it('a car of a resident is charged to the resident', async () => {
  const [person] = (await f.t.call(listResidents, { projectCode, size: 1 }, f.me)).rows
  const row = await f.addCar({ userId: defined(person).id, ownerName: undefined })
  await charge(row, 1_500)
  const view = await f.t.call(getCashierView, { projectCode, ...sourceOf(row) }, f.me)
  expect(view).toMatchObject({ payerKind: 'resident', payerId: defined(person).id })
  const [bill] = (await f.t.call(listBills, { projectCode, sourceCode: String(row.id) }, f.me)).rows
  expect(bill).toMatchObject({ payerId: defined(person).id, sourceName: row.plateNo })
})

it('a standard is bound to cars; one that is cancelled is not charged', async () => {
  const row = await f.addCar()
  const standardIds = [String(await f.addPriced('YB', 'cyclic'))]
  const bound = await f.t.call(
    batchBind,
    {
      projectCode,
      sourceType: 'car',
      sourceCodes: [String(row.id)],
      standardIds,
      beginDate: '2026-11-01',
    },
    f.me,
  )
  expect(bound).toMatchObject({ success: 1 })
  const relations = await f.t.call(listRelationsOfSource, { projectCode, ...sourceOf(row) }, f.me)
  expect(relations.map(relation => relation.sourceName)).toEqual([row.plateNo])
})

it('an imported bill names a car by its plate, the new one after a change', async () => {
  const row = await f.addCar({ plateNo: '粤MB1234' })
  await importLine('粤m·b1234')
  await f.t.call(cars.edit, { ...row, plateNo: '粤MC1234' }, f.me)
  await importLine('粤MC1234')
  const view = await f.t.call(getCashierView, { projectCode, ...sourceOf(row) }, f.me)
  expect(view.sourceName).toBe('粤MC1234')
  expect(view.groups.flatMap(group => group.bills)).toHaveLength(2)
})

it('prestore of a car pays its bills (ACC-1)', async () => {
  const row = await f.addCar()
  await f.t.call(
    topUp,
    {
      projectCode,
      ownerKind: 'car',
      ownerCode: String(row.id),
      feeItemId: 0,
      methods: [{ method: 'cash', amount: asFen(5_000) }],
    },
    f.me,
  )
  const { ids } = await charge(row, 2_000)
  await f.t.call(
    payBills,
    {
      projectCode,
      billIds: [...ids],
      expectAmount: asFen(2_000),
      methods: [{ method: 'prestore', amount: asFen(2_000) }],
    },
    f.me,
  )
  const view = await f.t.call(getCashierView, { projectCode, ...sourceOf(row) }, f.me)
  expect(view.prestore).toEqual([{ itemId: 0, name: '通用', amount: 3_000 }])
})

it('months that were just bought are selected at the cashier, whenever they begin', async () => {
  const row = await f.addCar()
  await f.renew(row)
  const view = await f.t.call(getCashierView, { projectCode, ...sourceOf(row) }, f.me)
  expect(view.groups.flatMap(group => group.bills)).toMatchObject([
    { beginDate: '2026-12-01', total: 30_000, selectedByDefault: true },
  ])
})
