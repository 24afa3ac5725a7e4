import type { Call } from '#kit/contract/call.ts'
import { sql } from '#kit/server/db.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { updateEstateSetting } from '#modules/estates/contract/estate.ts'
import {
  editRelation,
  endRelations,
  resumeRelations,
  stopRelations,
} from '#modules/fees/contract/relation-calls.ts'
import { changePrice } from '#modules/fees/contract/standard-calls.ts'
import { replaceMeter } from '#modules/meters/contract/meter-calls.ts'
import { addReading, deleteReadings, editReading } from '#modules/meters/contract/reading.ts'
import { createOrder } from '#modules/payments/contract/order.ts'
import { payBills } from '#modules/payments/contract/payment.ts'
import { getRecord, voidRecord } from '#modules/payments/contract/record.ts'
import { requestRefund } from '#modules/payments/contract/refund.ts'
import { deductRooms, topUp } from '#modules/prestore/contract/account.ts'
import { ownerScope, seedEstate } from '../../../db/golden/seed-estate.ts'
import type { GoldenApp } from '../../../db/golden/golden-app.ts'
import {
  abolishBills,
  deleteBills,
  recoverBills,
  reverseWriteOff,
  writeOffBills,
} from '../contract/actions.ts'
import {
  changePayer,
  markBills,
  mergeBill,
  setDiscount,
  setLateFee,
  splitBill,
} from '../contract/adjustments.ts'
import { generateMeterBills } from '../contract/meter-fee.ts'
import { repriceBills } from '../contract/reprice.ts'
import { undoRun } from '../contract/run.ts'
import { addPreFee } from '../contract/temporary.ts'
import {
  bindRooms,
  generateNow,
  seedFee,
  findSeededRooms,
  testScope,
  type SeededRoom,
} from './generate.fixtures.ts'
import { refreshLateFees } from './late-fee-refresh.ts'
import {
  type ActionCase,
  type ActionStep,
  type Scene,
  type SceneOptions,
  type SceneStatus,
  type Stage,
} from './action-stage.fixtures.ts'

const today = '2026-11-21'
const owedAmount = 10_105

/**
 * Everything that changes the state of a bill, its reading or its relation, each with the state it begins in.
 */
export async function openStage(
  t: GoldenApp,
  me: CallOptions,
  owner: number,
  project: string,
  rooms: number,
): Promise<Stage> {
  const boss = (await t.database
    .reader('*')
    .one<{ id: number }>(sql`select id from manager where owner_id = ${owner} order by id limit 1`))!.id
  const who = testScope(owner)
  const why = '核对后处理'
  await t.database.tx(owner, tx =>
    seedEstate(
      tx,
      ownerScope(owner, boss, '测试'),
      {
        projectCode: project,
        name: project,
        buildings: [{ code: 'B1', name: '1栋', units: 1, floors: Math.ceil(rooms / 50), perFloor: 50 }],
      },
      7,
    ),
  )
  await t.call(updateEstateSetting, { projectCode: project, key: 'RefundAuditFrom', value: '99999999' }, me)
  const all = await findSeededRooms(t.database.reader(owner), owner, project)
  const late = { lateFeeSwitch: true, lateRates: [{ rate: '0.0005' }] }
  const fee = await t.database.tx(owner, tx =>
    seedFee(tx, who, project, { item: late, formula: { formulaType: 'fixed' }, price: '100' }),
  )
  const water = await t.database.tx(owner, tx =>
    seedFee(tx, who, project, {
      item: { feeType: 'metered' },
      formula: { formulaType: 'usage' },
      standard: { usageUnit: '吨' },
      price: '10',
    }),
  )
  const payer = (await t.database
    .reader(owner)
    .one<{ id: number }>(
      sql`select id from resident where owner_id = ${owner} and delete_tag = 0 order by id limit 1`,
    ))!.id
  await t.call(
    changePrice,
    { standardId: water.standardId, effectiveDate: '2027-06-01', price: '11', reason: '调价' },
    me,
  )
  let used = 0
  const run = (standardId: number, room?: SeededRoom) =>
    generateNow(t.database, who, project, '2026-11', today, {
      standardIds: [String(standardId)],
      ...(room ? { sourceCodes: [room.code] } : {}),
    })
  const ids = (...list: readonly number[]) => ({ ids: list.map(String), reason: why })
  const one = (id: number, more: object) => ({ id, reason: why, ...more })
  const cash = (s: Scene, sum: number, id = s.bill) =>
    [
      payBills,
      {
        projectCode: project,
        billIds: [String(id)],
        expectAmount: sum,
        methods: [{ method: 'cash', amount: sum }],
      },
    ] as const
  const read = (s: Scene, curNum: string, readDate: string) => ({
    meterId: s.meter,
    readDate,
    curNum,
    month: readDate.slice(0, 7),
    reason: why,
  })
  const verbs: Record<string, ActionCase> = {
    generate: { from: 'abolished', run: s => () => run(fee.standardId, s.room) },
    prepay: { from: 'open', run: s => [addPreFee, { relationIds: [String(s.relation)], count: 1 }] },
    discount: { from: 'open', run: s => [setDiscount, { ...ids(s.bill), kind: 'amount', amount: 1000 }] },
    waive: { from: 'open', run: s => [setLateFee, { ...ids(s.bill), kind: 'waive', amount: 50 }] },
    fix: { from: 'open', run: s => [setLateFee, { ...ids(s.bill), kind: 'fix', amount: 300 }] },
    split: { from: 'open', run: s => [splitBill, one(s.bill, { on: '2026-10-16' })] },
    merge: { from: 'split', run: s => [mergeBill, one(s.bill, {})] },
    payer: {
      from: 'open',
      run: s => [changePayer, { ...ids(s.bill), payerKind: 'resident', payerId: payer }],
    },
    mark: { from: 'open', run: s => [markBills, { ids: [String(s.bill)], disputed: true }] },
    writeOff: { from: 'open', run: s => [writeOffBills, ids(s.bill)] },
    reverse: { from: 'off', run: s => [reverseWriteOff, ids(s.bill)] },
    abolish: { from: 'open', run: s => [abolishBills, ids(s.bill)] },
    abolishAll: { from: 'open', run: s => [abolishBills, ids(...s.bills.toReversed())] },
    recover: { from: 'abolished', run: s => [recoverBills, { ...ids(s.bill), resetDue: false }] },
    erase: { from: 'open', run: s => [deleteBills, ids(s.bill)] },
    reprice: { from: 'open', run: s => [repriceBills, ids(...s.bills)] },
    undo: { from: 'open', run: s => [undoRun, { id: s.batch, onlyUnpaid: true, reason: why }] },
    pay: { from: 'open', run: s => cash(s, owedAmount) },
    payPart: {
      from: 'open',
      run: s => [
        payBills,
        {
          projectCode: project,
          billIds: [String(s.bill)],
          expectAmount: owedAmount,
          methods: [{ method: 'cash', amount: 4000 }],
        },
      ],
    },
    deduct: { from: 'open', run: s => [deductRooms, { projectCode: project, roomCodes: [s.room.code] }] },
    order: {
      from: 'open',
      run: s => [createOrder, { projectCode: project, billIds: [String(s.bill)], expectAmount: owedAmount }],
    },
    void: { from: 'paid', run: s => [voidRecord, { id: s.record!, reason: why }] },
    refund: {
      from: 'paid',
      run: s => [
        requestRefund,
        {
          recordId: s.record!,
          lines: [{ detailId: s.detail!, principal: 10_000, late: 105 }],
          refundWay: 'cash',
          billAfter: 'owed',
          reason: why,
        },
      ],
    },
    refundGone: {
      from: 'paid',
      run: s => [
        requestRefund,
        {
          recordId: s.record!,
          lines: [{ detailId: s.detail!, principal: 10_000, late: 105 }],
          refundWay: 'prestore',
          billAfter: 'abolished',
          reason: why,
        },
      ],
    },
    end: {
      from: 'open',
      run: s => [endRelations, { ids: [String(s.relation)], endDate: '2026-10-15', reason: why }],
    },
    stop: { from: 'open', run: s => [stopRelations, { ids: [String(s.relation)], reason: why }] },
    resume: { from: 'stopped', run: s => [resumeRelations, { ids: [String(s.relation)], how: 'onwards' }] },
    relation: {
      from: 'open',
      run: s => [
        editRelation,
        {
          id: s.relation,
          projectCode: project,
          sourceType: 'room',
          sourceCode: s.room.code,
          standardId: fee.standardId,
          beginDate: '2026-09-01',
          endDate: '2026-10-31',
          remark: why,
        },
      ],
    },
    night: { from: 'open', run: () => () => refreshLateFees(t.database, owner, today) },
    bill: {
      from: 'waiting',
      run: s => [generateMeterBills, { projectCode: project, readingIds: [String(s.reading)] }],
    },
    meterRun: { from: 'waiting', run: s => () => run(water.standardId, s.room) },
    putRight: {
      from: 'waiting',
      run: s => [editReading, { ...read(s, '30', '2026-10-20'), id: s.reading }],
    },
    unread: { from: 'waiting', run: s => [deleteReadings, ids(s.reading!)] },
    readNext: { from: 'waiting', run: s => [addReading, read(s, '55', '2026-11-20')] },
    replace: {
      from: 'waiting',
      run: s => [
        replaceMeter,
        {
          meterId: s.meter,
          oldEndNum: '40',
          newMeterNo: `N${s.meter}`,
          newInitNum: '0',
          newMultiple: '1',
          replaceDate: '2026-11-01',
          reason: why,
        },
      ],
    },
    gone: { from: 'metered', run: s => [abolishBills, ids(s.bill)] },
    halved: { from: 'metered', run: s => [splitBill, one(s.bill, { amount: 3000 })] },
    readOn: { from: 'metered', run: s => [addReading, read(s, '55', '2026-11-20')] },
    putWrong: {
      from: 'metered',
      run: s => [editReading, { ...read(s, '30', '2026-10-20'), id: s.reading }],
    },
    replaced: {
      from: 'metered',
      run: s => [
        replaceMeter,
        {
          meterId: s.meter,
          oldEndNum: '40',
          newMeterNo: `N${s.meter}`,
          newInitNum: '0',
          newMultiple: '1',
          replaceDate: '2026-11-01',
          reason: why,
        },
      ],
    },
    rerun: { from: 'metered', run: s => () => run(water.standardId, s.room) },
  }
  const ask = (v: ActionCase, s: Scene): Promise<unknown> => {
    const d = v.run(s)
    return typeof d === 'function' ? d() : t.call(d[0], d[1], me)
  }
  const say = async (v: ActionCase, s: Scene, uuid: string): Promise<string> => {
    const [call, input] = v.run(s) as Exclude<ActionStep, () => Promise<unknown>>
    return JSON.stringify(await t.callRaw(call, input, { ...me, uuid }))
  }
  async function scenes(of: readonly SceneOptions[]): Promise<Scene[]> {
    const mine = of.map(w => ({ ...w, room: all[used++]! }))
    const db = () => t.database.reader(owner)
    const metered = mine.filter(m => m.status === 'metered' || m.status === 'waiting')
    const plain = mine.filter(m => !metered.includes(m))
    if (mine.some(m => !m.room)) throw new Error(`more than ${all.length} rooms are wanted`)
    await t.database.tx(owner, async tx => {
      await bindRooms(
        tx,
        who,
        project,
        fee,
        plain.map(m => m.room),
      )
      if (!metered.length) return
      const rooms = metered.map(m => m.room)
      const meters = (
        await tx.rows<{ id: number }>(
          sql`
            insert into meter (
              owner_id, project_code, meter_no, meter_kind, meter_use, source_type, source_code,
              source_name, sort_key, multiple, init_num, prepay_mode, state
            )
            select ${owner}::bigint, ${project}, 'M' || r.code, 10, 1, 10, r.code, r.path, r.code, 1, 0, 1,
              10
            from unnest(
              ${rooms.map(r => r.code)}::text[], ${rooms.map(r => r.path)}::text[]
            ) with ordinality as r(code, path, n)
            order by n
            returning id
          `,
        )
      ).map(m => m.id)
      const relations = await bindRooms(tx, who, project, water, rooms)
      await tx.execute(
        sql`
          update fee_relation r
          set meter_id = w.meter
          from unnest(${relations}::bigint[], ${meters}::bigint[]) as w(id, meter)
          where r.owner_id = ${owner} and r.id = w.id
        `,
      )
      await tx.execute(
        sql`
          insert into meter_reading (
            owner_id, project_code, meter_id, meter_no, meter_kind, month, last_num, cur_num, last_date,
            read_date, multiple, usage, source, state
          )
          select ${owner}::bigint, ${project}, m.id, m.meter_no, 10, '2026-10', 0, 20, '2026-09-20',
            '2026-10-20', 1, 20, 10, 10
          from meter m
          where m.owner_id = ${owner} and m.id = any(${meters})
        `,
      )
    })
    // A batch of its own for each whose batch is undone; the rest together.
    for (const m of plain.filter(x => x.batch)) {
      await run(fee.standardId, m.room)
    }
    if (plain.length) {
      await run(fee.standardId)
    }
    const billed = metered.filter(x => x.status === 'metered').map(x => x.room.code)
    if (billed.length) {
      await generateNow(t.database, who, project, '2026-11', today, {
        standardIds: [String(water.standardId)],
        sourceCodes: billed,
      })
    }
    const found = new Map(
      (
        await db().rows<{
          code: string
          relation: number
          bills: number[]
          batch?: number
          meter?: number
          reading?: number
        }>(sql`
          select r.source_code as code,
            r.id as relation,
            coalesce(x.bills, '{}') as bills,
            (select u.id from bill_run u where u.owner_id = r.owner_id and u.batch_no = x.batch) as batch,
            r.meter_id as meter,
            (
              select g.id from meter_reading g where g.owner_id = r.owner_id and g.meter_id = r.meter_id
            ) as reading
          from fee_relation r
          left join lateral (
            select array_agg(b.id order by b.begin_date) as bills, max(b.batch_no) as batch
            from bill b
            where b.owner_id = r.owner_id and b.relation_id = r.id
          ) x on true
          where r.owner_id = ${owner}
            and r.project_code = ${project}
            and r.source_code = any(${mine.map(m => m.room.code)})
        `)
      ).map(f => [f.code, f]),
    )
    const made = mine.map((m): Scene => {
      const { code: _, batch = 0, ...f } = found.get(m.room.code)!
      return { room: m.room, ...f, batch, bill: f.bills[1] ?? f.bills[0]! }
    })
    const by = (status: SceneStatus): Scene[] => made.filter((_, i) => mine[i]!.status === status)
    const bulk = async (call: Call<any, any>, list: readonly Scene[]): Promise<void> => {
      for (let i = 0; i < list.length; i += 1000) {
        await t.call(call, ids(...list.slice(i, i + 1000).map(s => s.bill)), me)
      }
    }
    await bulk(abolishBills, by('abolished'))
    await bulk(writeOffBills, by('off'))
    for (const s of by('split')) {
      await ask(verbs.split!, s)
    }
    for (const s of by('paid')) {
      const [call, input] = cash(s, owedAmount)
      const r = await t.call(getRecord, { id: (await t.call(call, input, me)).recordId }, me)
      s.record = r.id
      s.detail = r.details[0]!.id
    }
    if (by('stopped').length) {
      await t.call(stopRelations, { ids: by('stopped').map(s => String(s.relation)), reason: why }, me)
    }
    for (const s of made.filter((_, i) => mine[i]!.hasPrestore)) {
      await t.call(
        topUp,
        {
          projectCode: project,
          ownerKind: 'room',
          ownerCode: s.room.code,
          methods: [{ method: 'cash', amount: 15_000 }],
        },
        me,
      )
    }
    return made
  }
  const stands = async (s: Scene): Promise<string> =>
    JSON.stringify(
      await t.database.reader(owner).all(
        sql`
            select begin_date as begin, end_date as end, amount, discount_amount as off,
              paid_principal as paid, late_fee_due as late, late_fee_paid as late_paid,
              late_fee_waived as waived, late_fee_manual as manual, state, pay_state, refund_state,
              delete_tag, lock_order_id is not null as held, parent_id is not null as half, payer_id,
              disputed, is_pre
            from bill
            where owner_id = ${owner} and project_code = ${project} and source_code = ${s.room.code}
            order by begin_date, end_date, amount, state, delete_tag, off, late, id
          `,
        sql`
            select m.month, sum(m.receivable) as due, sum(m.discount) as off, sum(m.paid) as paid
            from bill_month m
            join bill b on b.owner_id = m.owner_id and b.id = m.bill_id
            where b.owner_id = ${owner} and b.project_code = ${project} and b.source_code = ${s.room.code}
            group by 1
            order by 1
          `,
        sql`
            select state, begin_date, end_date, billed_to, delete_tag, free
            from fee_relation
            where owner_id = ${owner} and id = ${s.relation}
          `,
        sql`
            select r.read_date, r.cur_num, r.usage, r.state, r.delete_tag, b.amount, b.state as bill
            from meter_reading r
            left join bill b on b.owner_id = r.owner_id and b.id = r.bill_id
            where r.owner_id = ${owner} and r.meter_id = ${s.meter ?? 0}
            order by 1, r.id
          `,
        sql`
            select balance, gift_balance
            from prestore_account
            where owner_id = ${owner} and project_code = ${project} and owner_code = ${s.room.code}
          `,
      ),
    )
  return { actions: verbs, scenes, project, ask, askRaw: say, snapshot: stands }
}
