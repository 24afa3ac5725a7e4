import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import type { Call } from '#kit/contract/call.ts'
import { asFen } from '#kit/domain/money.ts'
import { sql } from '#kit/server/db.ts'
import { stopRelations } from '#modules/fees/contract/relation-calls.ts'
import { getRecord } from '#modules/payments/contract/record.ts'
import { topUp } from '#modules/prestore/contract/account.ts'
import { abolishBills, writeOffBills } from '../contract/actions.ts'
import { bindRooms, generateNow, type SeededRoom } from './generate.fixtures.ts'
import type { ActionCase, Scene, SceneOptions, SceneStatus } from './action-stage.fixtures.ts'
import {
  byIds,
  owedAmount,
  payInCash,
  reason,
  runAction,
  today,
  type StageContext,
} from './stage-context.fixtures.ts'

/** Scenes in the statuses asked for, each in the next free rooms. */
export async function createScenes(
  context: StageContext,
  actions: Readonly<Record<string, ActionCase>>,
  rooms: readonly SeededRoom[],
  options: readonly SceneOptions[],
): Promise<Scene[]> {
  const { t, me, ownerId, project, scope, fee, water, generate } = context
  const planned = options.map((option, i) => ({ ...option, room: defined(rooms[i]) }))
  const db = () => t.database.reader(ownerId)
  const metered = planned.filter(m => m.status === 'metered' || m.status === 'waiting')
  const plain = planned.filter(m => !metered.includes(m))
  if (rooms.length < options.length)
    throw new Error(`only ${rooms.length} rooms are left for ${options.length} scenes`)
  await t.database.tx(ownerId, async tx => {
    await bindRooms(
      tx,
      scope,
      project,
      fee,
      plain.map(m => m.room),
    )
    if (!metered.length) return
    const meteredRooms = metered.map(m => m.room)
    const meters = (
      await tx.rows<{ id: Id }>(
        sql`
          insert into meter (
            owner_id, project_code, meter_no, meter_kind, meter_use, source_type, source_code,
            source_name, sort_key, multiple, init_num, prepay_mode, state
          )
          select ${ownerId}::bigint, ${project}, 'M' || r.code, 10, 1, 10, r.code, r.path, r.code, 1, 0, 1,
            10
          from unnest(
            ${meteredRooms.map(r => r.code)}::text[], ${meteredRooms.map(r => r.path)}::text[]
          ) with ordinality as r(code, path, n)
          order by n
          returning id
        `,
      )
    ).map(m => m.id)
    const relations = await bindRooms(tx, scope, project, water, meteredRooms)
    await tx.execute(
      sql`
        update fee_relation r
        set meter_id = w.meter
        from unnest(${relations}::bigint[], ${meters}::bigint[]) as w(id, meter)
        where r.owner_id = ${ownerId} and r.id = w.id
      `,
    )
    await tx.execute(
      sql`
        insert into meter_reading (
          owner_id, project_code, meter_id, meter_no, meter_kind, month, last_num, cur_num, last_date,
          read_date, multiple, usage, source, state
        )
        select ${ownerId}::bigint, ${project}, m.id, m.meter_no, 10, '2026-10', 0, 20, '2026-09-20',
          '2026-10-20', 1, 20, 10, 10
        from meter m
        where m.owner_id = ${ownerId} and m.id = any(${meters})
      `,
    )
  })
  // A batch of its own for each whose batch is undone; the rest together.
  for (const m of plain.filter(x => x.batch)) {
    await generate(fee.standardId, m.room)
  }
  if (plain.length) {
    await generate(fee.standardId)
  }
  const billed = metered.filter(x => x.status === 'metered').map(x => x.room.code)
  if (billed.length) {
    await generateNow(t.database, scope, project, '2026-11', today, {
      standardIds: [String(water.standardId)],
      sourceCodes: billed,
    })
  }
  const found = new Map(
    (
      await db().rows<{
        code: string
        relation: Id
        bills: Id[]
        batch?: Id
        meter?: Id
        reading?: Id
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
        where r.owner_id = ${ownerId}
          and r.project_code = ${project}
          and r.source_code = any(${planned.map(m => m.room.code)})
      `)
    ).map(f => [f.code, f]),
  )
  const created = planned.map((m): Scene => {
    const { code: _code, batch = 0, ...f } = defined(found.get(m.room.code))
    return { room: m.room, ...f, batch, bill: f.bills[1] ?? f.bills[0] ?? 0 }
  })
  const by = (status: SceneStatus): Scene[] => created.filter((_, i) => defined(planned[i]).status === status)
  const bulk = async (call: Call, list: readonly Scene[]): Promise<void> => {
    for (let i = 0; i < list.length; i += 1000) {
      await t.call(call, byIds(...list.slice(i, i + 1000).map(s => s.bill)), me)
    }
  }
  await bulk(abolishBills, by('abolished'))
  await bulk(writeOffBills, by('off'))
  for (const s of by('split')) {
    await runAction(context, defined(actions.split), s)
  }
  for (const s of by('paid')) {
    const [call, input] = payInCash(project, s, owedAmount)
    const r = await t.call(getRecord, { id: (await t.call(call, input, me)).recordId }, me)
    s.record = r.id
    s.detail = defined(r.details[0]).id
  }
  if (by('stopped').length) {
    await t.call(stopRelations, { ids: by('stopped').map(s => String(s.relation)), reason }, me)
  }
  for (const s of created.filter((_, i) => defined(planned[i]).hasPrestore)) {
    await t.call(
      topUp,
      {
        projectCode: project,
        ownerKind: 'room',
        ownerCode: s.room.code,
        methods: [{ method: 'cash', amount: asFen(15_000) }],
      },
      me,
    )
  }
  return created
}
