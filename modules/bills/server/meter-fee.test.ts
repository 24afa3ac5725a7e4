import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Refused } from '#kit/contract/wire.ts'
import { sql } from '#kit/server/db.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { type GoldenApp } from '#db/golden/golden-app.ts'
import { generateMeterBills, generateSmartMeterBills } from '../contract/meter-fee.ts'
import { bindRooms, seedFee, testScope, type SeededRoom } from './generate.fixtures.ts'
import { openBilling } from './golden.fixtures.ts'

const project = 'GOLD0001'
let t: GoldenApp
let me: CallOptions
let ownerId: Id = 0
let rooms: SeededRoom[] = []

beforeAll(async () => {
  ;({ t, me, ownerId, rooms } = await openBilling(project))
})

afterAll(() => t?.close())

/** A meter per room with one unbilled reading of October each; the last one is no smart meter. */
async function seedReadings() {
  return t.database.tx(ownerId, async tx => {
    const scope = testScope(ownerId)
    const fee = await seedFee(tx, scope, project, {
      item: { feeType: 'metered' },
      formula: { formulaType: 'usage' },
      standard: { chargeMode: 'behind', usageUnit: '吨' },
      price: '3.00',
    })
    const relations = await bindRooms(tx, scope, project, fee, rooms.slice(10, 13))
    const meters = await tx.rows<{ id: Id }>(sql`
      insert into meter (
        owner_id, project_code, meter_no, meter_kind, meter_use, source_type, source_code, source_name,
        sort_key, multiple, init_num, prepay_mode, is_smart, state
      )
      select ${ownerId}::bigint, ${project}, 'SM' || r.id, 10, 1, 10, r.source_code, r.source_name, 'x', 1,
        100, 1, r.id <> ${relations[2]}, 10
      from fee_relation r
      where r.owner_id = ${ownerId} and r.standard_id = ${fee.standardId}
      order by r.id
      returning id
    `)
    const meterIds = meters.map(m => m.id)
    await tx.execute(sql`
      update fee_relation r
      set meter_id = m.id
      from unnest(${relations}::bigint[], ${meterIds}::bigint[]) as m(relation, id)
      where r.owner_id = ${ownerId} and r.id = m.relation
    `)
    const readings = await tx.rows<{ id: Id }>(sql`
      insert into meter_reading (
        owner_id, project_code, meter_id, meter_no, meter_kind, month, last_num, cur_num, last_date,
        read_date, multiple, usage, source, state
      )
      select ${ownerId}::bigint, ${project}, m.id, 'x', 10, '2026-10', 100, 110, '2026-09-20', '2026-10-20', 1,
        10, 40, 10
      from unnest(${meterIds}::bigint[]) with ordinality as m(id, n)
      order by m.n
      returning id
    `)
    return { meterIds, readingIds: readings.map(r => r.id) }
  })
}

const refusal = async (p: Promise<unknown>): Promise<string> => {
  const error = await p.then(
    () => undefined,
    e => e,
  )
  expect(error).toBeInstanceOf(Refused)
  return error.message
}

it('MTR-9 smart meters of the asked scope alone are billed; no scope at all is refused', async () => {
  const { meterIds, readingIds } = await seedReadings()
  const statesOf = async () =>
    (
      await t.database.reader(ownerId).rows<{ state: number }>(
        sql`
          select state
          from meter_reading
          where owner_id = ${ownerId}
            and id = any(${readingIds})
          order by id
        `,
      )
    ).map(r => r.state)
  for (const call of [generateSmartMeterBills, generateMeterBills]) {
    for (const empty of [{}, { meterIds: [] }, { readingIds: [], meterIds: [] }]) {
      expect(await refusal(t.call(call, { projectCode: project, ...empty }, me))).toBe(
        '请指定要出账的范围：月份、抄表记录或仪表',
      )
    }
  }
  expect(await statesOf()).toEqual([10, 10, 10])
  const one = await t.call(
    generateSmartMeterBills,
    { projectCode: project, meterIds: [String(meterIds[0])] },
    me,
  )
  expect([one.count, one.amount, await statesOf()]).toEqual([1, 3000, [20, 10, 10]])
  // A meter that is read by hand is not among them, though it is named.
  expect(
    await refusal(
      t.call(generateSmartMeterBills, { projectCode: project, readingIds: [String(readingIds[2])] }, me),
    ),
  ).toContain('智能表')
  await t.call(
    generateSmartMeterBills,
    { projectCode: project, month: '2026-10', meterIds: meterIds.map(String) },
    me,
  )
  expect(await statesOf()).toEqual([20, 20, 10])
  await t.call(generateMeterBills, { projectCode: project, readingIds: [String(readingIds[2])] }, me)
  expect(await statesOf()).toEqual([20, 20, 20])
})

it('MTR-9 a reading whose meter two relations share is billed once, to the first of them', async () => {
  const { fee, relations, readingIds } = await t.database.tx(ownerId, async tx => {
    const scope = testScope(ownerId)
    const shared = await seedFee(tx, scope, project, {
      item: { feeType: 'metered' },
      formula: { formulaType: 'usage' },
      standard: { chargeMode: 'behind', usageUnit: '吨' },
      price: '3.00',
    })
    const relationIds = await bindRooms(tx, scope, project, shared, rooms.slice(20, 22))
    const meter = defined(
      await tx.one<{ id: Id }>(sql`
        insert into meter (
          owner_id, project_code, meter_no, meter_kind, meter_use, source_type, source_code, source_name,
          sort_key, multiple, init_num, prepay_mode, is_smart, state
        )
        select ${ownerId}::bigint, ${project}, 'SHARED', 10, 1, 10, r.source_code, r.source_name, 'x', 1, 100, 1,
          false, 10
        from fee_relation r
        where r.owner_id = ${ownerId} and r.id = ${relationIds[0]}
        returning id
      `),
    )
    await tx.execute(sql`
      update fee_relation set meter_id = ${meter.id} where owner_id = ${ownerId} and id = any(${relationIds}::bigint[])
    `)
    const reading = defined(
      await tx.one<{ id: Id }>(sql`
        insert into meter_reading (
          owner_id, project_code, meter_id, meter_no, meter_kind, month, last_num, cur_num, last_date,
          read_date, multiple, usage, source, state
        )
        values (
          ${ownerId}, ${project}, ${meter.id}, 'x', 10, '2026-10', 100, 110, '2026-09-20', '2026-10-20', 1, 10,
          40, 10
        )
        returning id
      `),
    )
    return { fee: shared, relations: relationIds, readingIds: [reading.id] }
  })
  const made = await t.call(
    generateMeterBills,
    { projectCode: project, readingIds: readingIds.map(String) },
    me,
  )
  expect([made.count, made.amount]).toEqual([1, 3000])
  const billed = await t.database.reader(ownerId).rows<{ relation: Id; amount: string }>(sql`
    select relation_id as relation, amount from bill
    where owner_id = ${ownerId} and standard_id = ${fee.standardId}
  `)
  expect(billed).toEqual([{ relation: relations[0], amount: '30.00' }])
})
