import { defined } from '#kit/domain/defined.ts'
import { asId, type Id } from '#kit/domain/id.ts'
import type { Fen } from '#kit/domain/money.ts'
import type { Month } from '#kit/domain/month.ts'
import { sql } from '#kit/server/db.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { addTempFee } from '../contract/temporary.ts'
import type { GoldenApp } from '#db/golden/golden-app.ts'
import {
  bindRooms,
  generateNow,
  seedFee,
  testScope,
  type SeededFee,
  type SeededRoom,
  type FeeOptions,
} from './generate.fixtures.ts'

export interface ChargedFee extends SeededFee {
  readonly relations: Id[]
}

export interface BillRecord {
  readonly id: Id
  readonly no: string
  readonly relation?: Id
  readonly begin: string
  readonly end: string
  readonly amount: number
  readonly state: number
  readonly payState: number
  readonly deleted: number
}

/** What tests of bills as a whole do all the time, on one estate. */
export function createBillActions(t: GoldenApp, me: CallOptions, ownerId: Id, project: string) {
  const scope = () => testScope(ownerId)
  const db = () => t.database.reader(ownerId)
  let n = 0
  const fee = (w: FeeOptions, rooms: readonly SeededRoom[], fields: object = {}): Promise<ChargedFee> =>
    t.database.tx(ownerId, async tx => {
      const f = await seedFee(tx, scope(), project, w)
      return { ...f, relations: await bindRooms(tx, scope(), project, f, rooms, fields) }
    })
  /** A relation by meter with one reading that waits: 10 tons of 3.45. */
  const metered = async (
    room: SeededRoom,
    day = '2026-10-20',
  ): Promise<ChargedFee & { meter: Id; reading: Id }> => {
    const f = await fee(
      {
        item: { feeType: 'metered' },
        formula: { formulaType: 'usage' },
        standard: { usageUnit: '吨' },
        price: '3.45',
      },
      [room],
    )
    const no = `FEN${process.pid}-${++n}`
    return t.database.tx(ownerId, async tx => {
      const m = defined(
        await tx.one<{ id: Id }>(
          sql`
          insert into meter (
            owner_id, project_code, meter_no, meter_kind, meter_use, source_type, source_code, source_name,
            sort_key, multiple, init_num, prepay_mode, state
          )
          values (${ownerId}, ${project}, ${no}, 10, 1, 10, ${room.code}, ${room.path}, ${no}, 1, 1180, 1, 10)
          returning id
        `,
        ),
      ).id
      await tx.execute(
        sql`
          update fee_relation
          set meter_id = ${m}
          where owner_id = ${ownerId}
            and id = ${defined(f.relations[0])}
        `,
      )
      const reading = defined(
        await tx.one<{ id: Id }>(
          sql`
          insert into meter_reading (
            owner_id, project_code, meter_id, meter_no, meter_kind, month, last_num, cur_num, last_date,
            read_date, multiple, usage, source, state
          )
          values (
            ${ownerId}, ${project}, ${m}, ${no}, 10, ${day.slice(0, 7)}, 1180, 1190, ${day}::date - 30,
            ${day}, 1, 10, 10, 10
          )
          returning id
        `,
        ),
      ).id
      return { ...f, meter: m, reading }
    })
  }
  const run = (f: SeededFee, month: Month) =>
    generateNow(t.database, scope(), project, month, '2026-11-21', { standardIds: [String(f.standardId)] })
  const bills = (f: Pick<SeededFee, 'itemId'>, withDeleted = false): Promise<BillRecord[]> =>
    db().rows<BillRecord>(
      sql`
        select id, bill_no as no, relation_id as relation, begin_date as begin, end_date as end,
          (amount * 100)::bigint as amount, state, pay_state, delete_tag as deleted
        from bill
        where owner_id = ${ownerId}
          and fee_item_id = ${f.itemId}
          and (${withDeleted} or delete_tag = 0 and state in (10, 20, 50))
        order by id
      `,
    )
  const temporary = async (itemId: Id, room: SeededRoom, amount: Fen, options: object = {}): Promise<Id> =>
    asId(
      Number(
        (
          await t.call(
            addTempFee,
            {
              projectCode: project,
              feeItemId: itemId,
              amount,
              sources: [{ sourceType: 'room', sourceCode: room.code }],
              beginDate: '2026-11-01',
              endDate: '2026-11-30',
              dueDate: '2026-12-31',
              ...options,
            },
            me,
          )
        ).ids[0],
      ),
    )
  const ids = (...list: readonly (number | { id: Id })[]) => ({
    ids: list.map(x => String(typeof x === 'number' ? x : x.id)),
    reason: '核对后处理',
  })
  const batchOf = async (bill: Id): Promise<Id> =>
    defined(
      await db().one<{ id: Id }>(
        sql`
        select r.id
        from bill b
        join bill_run r on r.owner_id = b.owner_id and r.batch_no = b.batch_no
        where b.owner_id = ${ownerId} and b.id = ${bill}
      `,
      ),
    ).id
  return { fee, metered, run, bills, temporary, ids, batchOf, db, scope }
}
