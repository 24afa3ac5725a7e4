import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { sql } from '#kit/server/db.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { updateEstateSetting } from '#modules/estates/contract/estate.ts'
import { changePrice } from '#modules/fees/contract/standard-calls.ts'
import { ownerScope, seedEstate } from '#db/golden/seed-estate.ts'
import type { GoldenApp } from '#db/golden/golden-app.ts'
import { generateNow, seedFee, findSeededRooms, testScope, type SeededRoom } from './generate.fixtures.ts'
import type { Scene, Stage } from './action-stage.fixtures.ts'
import { createActionCases } from './action-cases.fixtures.ts'
import { createScenes } from './create-scenes.fixtures.ts'
import { runAction, today, type StageContext } from './stage-context.fixtures.ts'

/** All stored money of a scene's room, without numbers and times. */
const readSnapshot = async ({ t, ownerId, project }: StageContext, s: Scene): Promise<string> =>
  JSON.stringify(
    await t.database.reader(ownerId).all(
      sql`
            select begin_date as begin, end_date as end, amount, discount_amount as off,
              paid_principal as paid, late_fee_due as late, late_fee_paid as late_paid,
              late_fee_waived as waived, late_fee_manual as manual, state, pay_state, refund_state,
              delete_tag, lock_order_id is not null as is_held, parent_id is not null as half, payer_id,
              disputed, is_pre
            from bill
            where owner_id = ${ownerId} and project_code = ${project} and source_code = ${s.room.code}
            order by begin_date, end_date, amount, state, delete_tag, off, late, id
          `,
      sql`
            select m.month, sum(m.receivable) as due, sum(m.discount) as off, sum(m.paid) as paid
            from bill_month m
            where m.owner_id = ${ownerId}
              and m.bill_id = any(array(
                select id
                from bill
                where owner_id = ${ownerId} and project_code = ${project} and source_code = ${s.room.code}
              ))
            group by 1
            order by 1
          `,
      sql`
            select state, begin_date, end_date, billed_to, delete_tag, free
            from fee_relation
            where owner_id = ${ownerId} and id = ${s.relation}
          `,
      sql`
            select r.read_date, r.cur_num, r.usage, r.state, r.delete_tag, b.amount, b.state as bill
            from meter_reading r
            left join bill b on b.owner_id = r.owner_id and b.id = r.bill_id
            where r.owner_id = ${ownerId} and r.meter_id = ${s.meter ?? 0}
            order by 1, r.id
          `,
      sql`
            select balance, gift_balance
            from prestore_account
            where owner_id = ${ownerId} and project_code = ${project} and owner_code = ${s.room.code}
          `,
    ),
  )

/** A project of its own in which every action on bills can be tried on scenes in the status that it needs. */
export async function openStage(
  t: GoldenApp,
  me: CallOptions,
  ownerId: Id,
  project: string,
  roomCount: number,
): Promise<Stage> {
  const managerId = defined(
    await t.database
      .reader('*')
      .one<{ id: Id }>(sql`select id from manager where owner_id = ${ownerId} order by id limit 1`),
  ).id
  const scope = testScope(ownerId)
  await t.database.tx(ownerId, tx =>
    seedEstate(
      tx,
      ownerScope(ownerId, managerId, '测试'),
      {
        projectCode: project,
        name: project,
        buildings: [{ code: 'B1', name: '1栋', units: 1, floors: Math.ceil(roomCount / 50), perFloor: 50 }],
      },
      7,
    ),
  )
  await t.call(updateEstateSetting, { projectCode: project, key: 'RefundAuditFrom', value: '99999999' }, me)
  const rooms = await findSeededRooms(t.database.reader(ownerId), ownerId, project)
  const late = { lateFeeSwitch: true, lateRates: [{ rate: '0.0005' }] }
  const fee = await t.database.tx(ownerId, tx =>
    seedFee(tx, scope, project, { item: late, formula: { formulaType: 'fixed' }, price: '100' }),
  )
  const water = await t.database.tx(ownerId, tx =>
    seedFee(tx, scope, project, {
      item: { feeType: 'metered' },
      formula: { formulaType: 'usage' },
      standard: { usageUnit: '吨' },
      price: '10',
    }),
  )
  const payerId = defined(
    await t.database
      .reader(ownerId)
      .one<{ id: Id }>(
        sql`select id from resident where owner_id = ${ownerId} and delete_tag = 0 order by id limit 1`,
      ),
  ).id
  await t.call(
    changePrice,
    { standardId: water.standardId, effectiveDate: '2027-06-01', price: '11', reason: '调价' },
    me,
  )
  const generate = (standardId: Id, room?: SeededRoom) =>
    generateNow(t.database, scope, project, '2026-11', today, {
      standardIds: [String(standardId)],
      ...(room ? { sourceCodes: [room.code] } : {}),
    })
  const context: StageContext = { t, me, ownerId, project, scope, fee, water, payerId, generate }
  const actions = createActionCases(context)
  let usedRooms = 0
  return {
    actions,
    project,
    scenes: options => {
      const free = rooms.slice(usedRooms, usedRooms + options.length)
      usedRooms += options.length
      return createScenes(context, actions, free, options)
    },
    run: (action, scene) => runAction(context, action, scene),
    askRaw: async (action, scene, uuid) => {
      const step = action.run(scene)
      if (typeof step === 'function') throw new Error('this action is no call')
      return JSON.stringify(await t.callRaw(step[0], step[1], { ...me, uuid }))
    },
    snapshot: scene => readSnapshot(context, scene),
  }
}
