import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sql } from '#kit/server/db.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { refusalMessageOf, faultsOf, refusalOf } from '#kit/server/fixtures/refusal.ts'
import { deleteRelations, listRelations } from '#modules/fees/contract/relation-calls.ts'
import {
  changePrice,
  deleteStandards,
  deleteVersion,
  editStandard,
  listStandards,
  listVersions,
  getStandard,
} from '#modules/fees/contract/standard-calls.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { seedBillRows } from './fixtures.ts'

let t: GoldenApp
let me: CallOptions

beforeAll(async () => {
  t = await openGoldenApp()
  me = await t.owner
})

afterAll(() => t?.close())

it('FEE-5, FEE-6 what bills were made by stays: the standard, the price, the relation', async () => {
  const [r] = (await t.call(listRelations, { keyword: '1-1-101', order: 'id' }, me)).rows
  const s = defined((await t.call(listStandards, { keyword: 'CD01' }, me)).rows[0])
  const ownerId = defined(
    await t.database
      .reader('*')
      .one<{ id: Id }>(sql`select owner_id as id from fee_relation where id = ${defined(r).id}`),
  ).id
  const coming = await t.call(
    changePrice,
    { standardId: s.id, effectiveDate: '2027-01-01', price: '36.5' },
    me,
  )
  await t.database.tx('*', async tx => {
    await seedBillRows(tx, ownerId, defined(r).feeItemId, [
      { source: defined(r).sourceCode, relation: defined(r).id, begin: '2026-10-01', end: '2026-10-31' },
    ])
    const [by] = await seedBillRows(tx, ownerId, s.feeItemId, [
      { source: 'X1', begin: '2027-01-01', end: '2027-01-31' },
    ])
    await tx.execute(
      sql`update bill set standard_id = ${s.id} where owner_id = ${ownerId} and id = ${defined(by)}`,
    )
  })
  expect(
    await refusalMessageOf(t.call(deleteStandards, { ids: [String(s.id)], reason: '不用了' }, me)),
  ).toContain('账单 1 个')
  expect(await refusalMessageOf(t.call(deleteVersion, { id: coming.id, reason: '撤回' }, me))).toBe(
    '2027-01-01 起的价格不能删除：还有账单 1 个，请先处理',
  )
  expect(await t.call(deleteRelations, { ids: [String(defined(r).id)], reason: '绑错了' }, me)).toMatchObject(
    {
      success: 0,
      skipped: 1,
      rows: [{ reason: `1-1-101 ${defined(r).standardName}：已有账单，请改为结束收费` }],
    },
  )
})

it('FEE-6 a standard that bills use is no more edited in what decides its amounts; when they fall due may still change', async () => {
  const s = defined((await t.call(listStandards, { keyword: 'WY01' }, me)).rows[0])
  const version = defined((await t.call(listVersions, { standardId: s.id }, me))[0])
  const ownerId = defined(
    await t.database
      .reader('*')
      .one<{ id: Id }>(sql`select owner_id as id from fee_standard where id = ${s.id}`),
  ).id
  const edit = async (overrides: object) =>
    t.call(editStandard, { ...(await t.call(getStandard, { id: s.id }, me)), ...overrides }, me)
  expect((await edit({ prorateMode: 'thirty' })).prorateMode).toBe('thirty')
  await t.database.tx('*', async tx => {
    const [by] = await seedBillRows(tx, ownerId, s.feeItemId, [
      { source: 'X2', begin: '2027-03-01', end: '2027-03-31' },
    ])
    await tx.execute(
      sql`
        update bill
        set standard_id = ${s.id},
          calc_snapshot = ${JSON.stringify({ parts: [{ version: version.id }] })}::jsonb
        where owner_id = ${ownerId} and id = ${defined(by)}
      `,
    )
  })
  const faults = faultsOf(
    await refusalOf(edit({ prorateMode: 'actual', roundUnit: 'jiao', minAmount: 100, name: '改名' })),
  )
  expect(faults.map(f => f.Field).toSorted()).toEqual(['MinAmount', 'ProrateMode', 'RoundUnit'])
  expect(faults[0]?.Message).toContain('请另建标准')
  expect(await edit({ dueDays: 12, name: '住宅物业费二' })).toMatchObject({
    dueDays: 12,
    name: '住宅物业费二',
    prorateMode: 'thirty',
  })
})
