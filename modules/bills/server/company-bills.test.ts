import { defined } from '#kit/domain/defined.ts'
import { seedFeeItem } from './fixtures.ts'
import type { Id } from '#kit/domain/id.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sql } from '#kit/server/db.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { listRelationsOfCompany } from '#modules/fees/contract/relation-calls.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { golden } from '#db/golden/golden-data.ts'
import { listCompanyBills } from '../contract/list.ts'

let t: GoldenApp
let me: CallOptions
let ownerId: Id = 0

beforeAll(async () => {
  t = await openGoldenApp()
  me = await t.signedInAs(golden.first.owner, 'GOLD0001')
  ownerId = t.ownerId
})

afterAll(() => t?.close())

it('a company is asked for what it holds now, what names it, and nothing else', async () => {
  const ids = await t.database.tx(ownerId, async tx => {
    const item = await seedFeeItem(tx, ownerId, 'FIRM', { name: '企业测试', multi: true })
    const formula = defined(
      await tx.one<{ id: Id }>(
        sql`
        insert into fee_formula (owner_id, name, formula_type, state)
        values (${ownerId}, '企业测试', 20, 10)
        returning id
      `,
      ),
    ).id
    const standard = defined(
      await tx.one<{ id: Id }>(
        sql`
        insert into fee_standard (
          owner_id, project_code, code, name, fee_item_id, formula_id, cycle_type, cycle_months,
          charge_mode, start_rule, prorate_mode, due_base, round_type, round_unit, state
        )
        values (${ownerId}, 'GOLD0001', 'FIRM', '企业测试', ${item}, ${formula}, 1, 1, 1, 1, 1, 2, 1, 2, 10)
        returning id
      `,
      ),
    ).id
    const rooms = await tx.rows<{ id: Id; code: string; build: string }>(
      sql`
        select id, code, build_code as build
        from room
        where owner_id = ${ownerId}
          and project_code = 'GOLD0001'
          and delete_tag = 0
          and company_id is null
          and not exists (
            select 1 from company_room x where x.owner_id = room.owner_id and x.room_id = room.id
          )
        order by id
        limit 3
      `,
    )
    const firm = defined(
      await tx.one<{ id: Id }>(
        sql`
        insert into company (owner_id, project_code, company_no, name, state)
        values (${ownerId}, 'GOLD0001', 'FIRM1', '测试企业', 10)
        returning id
      `,
      ),
    ).id
    const holdRoom = (room: { id: Id; build: string }, begin: string, end: string | null) =>
      tx.execute(
        sql`
          insert into company_room (
            owner_id, project_code, company_id, room_id, build_code, begin_date, end_date
          )
          values (${ownerId}, 'GOLD0001', ${firm}, ${room.id}, ${room.build}, ${begin}, ${end})
        `,
      )
    await holdRoom(defined(rooms[0]), '2026-01-01', null)
    await holdRoom(defined(rooms[1]), '2025-01-01', '2025-12-31')
    const charged: readonly (readonly [number, string])[] = [
      [10, defined(rooms[0]).code],
      [10, defined(rooms[1]).code],
      [50, 'FIRM1'],
      [10, defined(rooms[2]).code],
    ]
    for (const [type, code] of charged) {
      await tx.execute(
        sql`
          insert into fee_relation (
            owner_id, project_code, source_type, source_code, source_name, fee_item_id, standard_id,
            begin_date, multi, state
          )
          values (
            ${ownerId}, 'GOLD0001', ${type}, ${code}, ${code}, ${item}, ${standard}, '2026-01-01', true, 10
          )
        `,
      )
      await tx.execute(sql`
        insert into bill (
          owner_id, project_code, bill_no, source_type, source_code, source_name, payer_kind, payer_id,
          fee_item_id, fee_item_name, fee_type, begin_date, end_date, belong_month, amount, due_date, state,
          bill_source, run_free, run_split_root
        )
        values (
          ${ownerId}, 'GOLD0001', ${`FIRM-${type}-${code}`}, ${type}, ${code}, ${code}, 2,
          ${code === defined(rooms[0]).code ? firm : null}, ${item}, '企业测试', 10, '2026-11-01', '2026-11-30',
          '2026-11', 1, '2026-11-30', 20, 10, true, null
        )
      `)
    }
    return { firm, room: defined(rooms[0]).code }
  })
  expect(
    (await t.call(listRelationsOfCompany, { companyId: ids.firm }, me))
      .filter(r => r.feeItemName === '企业测试')
      .map(r => r.sourceCode)
      .toSorted(),
  ).toEqual([ids.room, 'FIRM1'].toSorted())
  const bills = await t.call(listCompanyBills, { companyId: ids.firm }, me)
  expect([bills.total, bills.rows.map(b => b.sourceCode).toSorted()]).toEqual([
    2,
    [ids.room, 'FIRM1'].toSorted(),
  ])
})
