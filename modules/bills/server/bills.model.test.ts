import { defined } from '#kit/domain/defined.ts'
import type { Call } from '#kit/contract/call.ts'
import { asId, parseId, type Id } from '#kit/domain/id.ts'
import { asDay, type Day, padDigits } from '#kit/domain/day.ts'
import { asFen } from '#kit/domain/money.ts'
import { firstDay, type Month, monthOf } from '#kit/domain/month.ts'
import { deepStrictEqual as same, ok } from 'node:assert'
import fc from 'fast-check'
import { afterAll, beforeAll, it } from 'vitest'
import { Refused } from '#kit/contract/wire.ts'
import { sql } from '#kit/server/db.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { refusalText } from '#kit/server/fixtures/refusal.ts'
import { toError } from '#kit/domain/to-error.ts'
import { updateEstateSetting } from '#modules/estates/contract/estate.ts'
import { receivables } from '#modules/fee-reports/contract/receivable.ts'
import { dailyCollections } from '#modules/fee-reports/contract/daily-collection.ts'
import {
  editRelation,
  endRelations,
  resumeRelations,
  stopRelations,
} from '#modules/fees/contract/relation-calls.ts'
import { changePrice } from '#modules/fees/contract/standard-calls.ts'
import { addReading, deleteReadings, editReading } from '#modules/meters/contract/reading.ts'
import { closeOrder } from '#modules/payments/contract/order.ts'
import { payBills, payOrderOffline } from '#modules/payments/contract/payment.ts'
import { getRecord, voidRecord } from '#modules/payments/contract/record.ts'
import { requestRefund } from '#modules/payments/contract/refund.ts'
import { deductRooms, topUp } from '#modules/prestore/contract/account.ts'
import { findViolations } from '#db/golden/invariants.ts'
import { ownerScope, seedEstate } from '#db/golden/seed-estate.ts'
import type { GoldenApp } from '#db/golden/golden-app.ts'
import {
  abolishBills,
  deleteBills,
  recoverBills,
  reverseWriteOff,
  writeOffBills,
} from '../contract/actions.ts'
import {
  changePayer,
  editBillAmount,
  mergeBill,
  setDiscount,
  reissueBill,
  splitBill,
} from '../contract/adjustments.ts'
import { importBills } from '../contract/import.ts'
import { listBills } from '../contract/list.ts'
import { generateMeterBills } from '../contract/meter-fee.ts'
import { addPool, correctPool, editPool, runPool } from '../contract/pool.ts'
import { repriceBills } from '../contract/reprice.ts'
import { undoRun } from '../contract/run.ts'
import { addPreFee, addTempFee } from '../contract/temporary.ts'
import {
  bindRooms,
  generateNow,
  seedFee,
  findSeededRooms,
  testScope,
  type SeededFee,
  type SeededRoom,
} from './generate.fixtures.ts'
import { openBilling } from './golden.fixtures.ts'

// ---------------------------------------------------------------- the reference calculation: plain
// numbers and days, nothing of the product

const day = (text: string): number => Date.parse(`${text}T00:00:00Z`) / 86_400_000
const text = (d: number): Day => asDay(new Date(d * 86_400_000).toISOString().slice(0, 10))

const lengthOf = (month: string): number => {
  const [y, m] = month.split('-').map(Number)
  return new Date(Date.UTC(defined(y), m, 0)).getUTCDate()
}

const monthAt = (i: number): Month => {
  const m = 9 + (i % 5)
  return m > 12 ? `2027-${padDigits(m - 12)}` : `2026-${padDigits(m)}`
}

const half = (numerator: number, denominator: number): number =>
  Math.floor((2 * numerator + denominator) / (2 * denominator))

interface Range {
  readonly begin: string
  readonly end: string
}

/**
 * A whole month at its price, or the part of it that is not free (CYC-7), rounded to the fen once. Prices
 * change on the first of a month; who pays ahead has the price of today.
 */
const charged = (
  prices: ReadonlyMap<string, number>,
  free: readonly Range[],
  begin: string,
  end: string,
  on = begin,
): number => {
  const price = defined(
    [...prices]
      .filter(([from]) => from <= on)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .at(-1),
  )[1]
  const days = Array.from({ length: day(end) - day(begin) + 1 }, (_, i) => text(day(begin) + i))
  const n = days.filter(d => !free.some(f => f.begin <= d && d <= f.end)).length
  const all = lengthOf(begin.slice(0, 7))
  return n === all ? price : half(price * n, all)
}

interface Known {
  amount: number
  discount: number
  paid: number
  state: number
  deleted: number
}

interface Row extends Known {
  readonly id: Id
  readonly no: string
  readonly kind: 'fee' | 'temp' | 'water' | 'pool'
  readonly relation?: Id
  readonly begin: string
  readonly end: string
  readonly parent?: Id
  readonly root: number
  readonly ref?: number
  readonly batch?: string
  readonly room: string
}

const isLive = (b: Known): boolean => b.deleted === 0 && [10, 20, 50].includes(b.state)
const unpaidOf = (b: Known): number => b.amount - b.discount - b.paid

interface Step {
  readonly do: string
  readonly a: number
  readonly b: number
  readonly c: number
}

let t: GoldenApp
let me: CallOptions
let ownerId: Id = 0
let n = 0
let payer: Id = 0
const today = '2026-11-21'
const reason = '核对后处理'

beforeAll(async () => {
  ;({ t, me, ownerId } = await openBilling('GOLD0001'))
  payer = defined(
    await t.database
      .reader(ownerId)
      .one<{ id: Id }>(
        sql`select id from resident where owner_id = ${ownerId} and delete_tag = 0 order by id limit 1`,
      ),
  ).id
})

afterAll(() => t?.close())

class Play {
  readonly known = new Map<number, Known>()
  readonly log: string[] = []
  readonly prices = new Map([['2020-01-01', 10_000]])
  rows: Row[] = []
  relations: Id[] = []
  readings: {
    id: Id
    state: number
    num: number
    last: number
    bill?: number
    deleted: number
    date: Day
  }[] = []
  readonly records: number[] = []
  fee!: SeededFee
  water!: SeededFee
  share!: SeededFee
  temp!: SeededFee
  tempName = ''
  rooms: SeededRoom[] = []
  meter: Id = 0
  pool: Id = 0
  /** The free days of each relation (CYC-7; CYC-8 adds those before a later resumption). */
  freeByRelation: ReadonlyMap<Id, readonly Range[]> = new Map()
  prepaidBalance = 0
  toppedUp = 0
  readonly free: { begin: string; end: string }[] = []
  readonly project: string
  constructor(project: string) {
    this.project = project
  }

  async open(): Promise<void> {
    const scope = testScope(ownerId)
    const p = this.project
    await t.database.tx(ownerId, async tx => {
      const boss = defined(
        await tx.one<{ id: Id }>(sql`select id from manager where owner_id = ${ownerId} order by id limit 1`),
      ).id
      await seedEstate(
        tx,
        ownerScope(ownerId, boss, '测试'),
        {
          projectCode: p,
          name: p,
          buildings: [{ code: 'B1', name: '1栋', units: 1, floors: 1, perFloor: 3 }],
        },
        5,
      )
      this.rooms = await findSeededRooms(tx, ownerId, p)
      this.fee = await seedFee(tx, scope, p, { formula: { formulaType: 'fixed' }, price: '100' })
      this.water = await seedFee(tx, scope, p, {
        item: { feeType: 'metered' },
        formula: { formulaType: 'usage' },
        standard: { usageUnit: '吨' },
        price: '3.45',
      })
      this.share = await seedFee(tx, scope, p, {
        item: { feeType: 'shared' },
        formula: { formulaType: 'share' },
      })
      this.temp = await seedFee(tx, scope, p, { item: { feeType: 'temporary' } })
      this.tempName = defined(
        await tx.one<{ name: string }>(
          sql`select name from fee_item where owner_id = ${ownerId} and id = ${this.temp.itemId}`,
        ),
      ).name
      this.relations = await bindRooms(tx, scope, p, this.fee, this.rooms.slice(0, 2))
      await bindRooms(tx, scope, p, this.share, this.rooms)
      const [metered] = await bindRooms(tx, scope, p, this.water, this.rooms.slice(0, 1))
      this.meter = defined(
        await tx.one<{ id: Id }>(
          sql`
          insert into meter (
            owner_id, project_code, meter_no, meter_kind, meter_use, source_type, source_code, source_name,
            sort_key, multiple, init_num, prepay_mode, state
          )
          values (
            ${ownerId}, ${p}, ${`W${p}`}, 10, 1, 10, ${defined(this.rooms[0]).code}, ${defined(this.rooms[0]).path}, 'W', 1,
            0, 1, 10
          )
          returning id
        `,
        ),
      ).id
      await tx.execute(
        sql`
          update fee_relation
          set meter_id = ${this.meter}
          where owner_id = ${ownerId}
            and id = ${defined(metered)}
        `,
      )
    })
    await t.call(updateEstateSetting, { projectCode: p, key: 'RefundAuditFrom', value: '99999999' }, me)
    this.pool = (
      await t.call(
        addPool,
        {
          projectCode: p,
          name: '电梯电费',
          standardId: this.share.standardId,
          month: '2026-10',
          weightType: 'household',
          totalAmount: asFen(10_001),
          vacantIncluded: true,
          dayWeight: false,
        },
        me,
      )
    ).id
  }
  async reload(): Promise<void> {
    const kinds = new Map([
      [this.fee.itemId, 'fee'],
      [this.water.itemId, 'water'],
      [this.share.itemId, 'pool'],
      [this.temp.itemId, 'temp'],
    ] as const)
    this.rows = (
      await t.database.reader(ownerId).rows<Row & { item: Id }>(sql`
        select id, bill_no as no, fee_item_id as item, relation_id as relation, begin_date as begin,
          end_date as end, (amount * 100)::bigint as amount, (discount_amount * 100)::bigint as discount,
          (paid_principal * 100)::bigint as paid, state, delete_tag as deleted, parent_id as parent,
          run_root as root, ref_id as ref, batch_no as batch, source_code as room
        from bill
        where owner_id = ${ownerId} and project_code = ${this.project}
        order by id
      `)
    ).map(r => ({ ...r, kind: defined(kinds.get(r.item)) }))
    const relations = await t.database
      .reader(ownerId)
      .rows<{ id: Id; free: Range[] }>(
        sql`select id, coalesce(free, '[]') as free from fee_relation where owner_id = ${ownerId}`,
      )
    this.freeByRelation = new Map(relations.map(r => [r.id, r.free]))
    this.readings = await t.database.reader(ownerId).rows(
      sql`
          select id, state, cur_num::int as num, last_num::int as last, bill_id as bill, delete_tag as deleted,
            read_date as date
          from meter_reading
          where owner_id = ${ownerId} and meter_id = ${this.meter}
          order by read_date, id
        `,
    )
  }
  /** What a bill of the monthly fee comes to, by the free days that its relation has now. */
  chargedFor({ relation, begin, end }: Row, on?: string): number {
    return charged(this.prices, this.freeByRelation.get(asId(relation ?? 0)) ?? [], begin, end, on)
  }
  pick<T>(list: readonly T[], at: number): T | undefined {
    return list.length ? list[at % list.length] : undefined
  }
  /**
   * Done, or refused with a message; a result by bill counts as refused when none was done. Anything else is
   * a defect.
   */
  async try<T>(action: string, call: Promise<T>): Promise<T | undefined> {
    try {
      const result = await call
      const { success, count } = (result ?? {}) as { success?: number; count?: number }
      this.log.push(`${action}${success === 0 || count === 0 ? ' (no)' : ''}`)
      return success === 0 || count === 0 ? undefined : result
    } catch (e) {
      if (!(e instanceof Refused)) throw e
      ok(!/系统错误|同时操作/.test(e.message), e.message)
      this.log.push(`${action} (no: ${refusalText(e)})`)
      return undefined
    }
  }
  async step({ do: action, a, b, c }: Step): Promise<void> {
    const { project: projectCode, rows, rooms } = this
    const x = this.pick(
      rows.filter(r => !r.deleted),
      b,
    )
    const room = defined(rooms[a % 3])
    const r = defined(this.relations[a % 2])
    const month = monthAt(c)
    const set = (id: Id, change: Partial<Known>): void => {
      Object.assign(defined(this.known.get(id)), change)
    }
    const ids = (...list: readonly number[]) => ({ ids: list.map(String), reason })
    const of = (kind: Row['kind'], test: (b: Row) => boolean = isLive): Row | undefined =>
      this.pick(
        rows.filter(q => q.kind === kind && test(q)),
        b,
      )
    /** Newly made bills, and what each of them should come to. */
    const expectNewBills = async (
      amount: (b: Row, i: number, all: readonly Row[]) => number,
    ): Promise<void> => {
      await this.reload()
      const newBills = this.rows.filter(q => !this.known.has(q.id))
      for (const [i, q] of newBills.entries()) {
        same([q.no, q.amount], [q.no, amount(q, i, newBills)])
        this.known.set(q.id, { amount: q.amount, discount: q.discount, paid: 0, state: q.state, deleted: 0 })
      }
    }
    /** An action on one bill: the model says whether it is allowed, and what becomes of the bill. */
    const actOnBill = async (
      call: Call,
      one: Row,
      isExpected: boolean,
      change: Partial<Known>,
      overrides: object = {},
    ): Promise<void> => {
      const result = await this.try(`${action} ${one.id}`, t.call(call, { ...ids(one.id), ...overrides }, me))
      same([action, one.id, result !== undefined], [action, one.id, isExpected])
      if (result) {
        set(one.id, change)
      }
    }
    switch (action) {
      case 'generate': {
        const which = defined([this.fee, this.fee, this.water][a % 3])
        await this.try(
          `generate ${month}`,
          generateNow(t.database, testScope(ownerId), projectCode, month, today, {
            standardIds: [String(which.standardId)],
          }),
        )
        await expectNewBills(q => (q.kind === 'water' ? this.tons(q) * 345 : this.chargedFor(q)))
        if (which === this.fee) {
          await this.charges(month)
        }
        return
      }
      case 'prepay': {
        const made = await this.try(
          `prepay ${r}`,
          t.call(addPreFee, { relationIds: [String(r)], count: 1 + (c % 2) }, me),
        )
        if (!made) return
        await expectNewBills(q => this.chargedFor(q, today))
        const { orderNo, amount } = made
        // Its order is paid or cancelled before anything else: it holds the bills.
        if (b % 2) {
          const methods = [{ method: 'cash', amount }] as const
          const { recordId } = await t.call(payOrderOffline, { orderNo, methods }, me)
          this.records.push(recordId)
        } else {
          await t.call(closeOrder, { orderNo }, me)
        }
        for (const id of made.ids.map(parseId)) {
          set(id, b % 2 ? { paid: defined(this.known.get(id)).amount } : { deleted: 1 })
        }
        return
      }
      case 'temporary':
        if (
          await this.try(
            'temporary',
            t.call(
              addTempFee,
              {
                projectCode,
                feeItemId: this.temp.itemId,
                amount: asFen(1 + (b % 9000)),
                sources: rooms
                  .slice(0, 1 + (a % 2))
                  .map(q => ({ sourceType: 'room' as const, sourceCode: q.code })),
                beginDate: '2026-11-01',
                endDate: '2026-11-30',
                dueDate: '2027-12-31',
              },
              me,
            ),
          )
        ) {
          await expectNewBills(() => 1 + (b % 9000))
        }
        return
      case 'import': {
        const file = {
          ...me,
          upload: {
            ...t.upload(
              'a.csv',
              new TextEncoder().encode(
                `房号,收费项目,账期起,账期止,金额,应缴日,备注\n${room.path},${this.tempName},2026-10-01,2026-10-31,${(1 + (b % 900)).toFixed(2)},2027-12-31,\n`,
              ),
            ),
            name: 'a.csv',
            type: 'text/csv',
          },
        }
        const { importId } = await t.call(importBills.post, { projectCode }, file)
        same(
          (
            await t.waitForTask(
              defined(
                (
                  await t.call(
                    importBills.post,
                    { projectCode, importId: defined(importId), mode: 'skip' },
                    me,
                  )
                ).taskId,
              ),
            )
          ).success,
          1,
        )
        return expectNewBills(() => (1 + (b % 900)) * 100)
      }
      case 'discount': {
        if (!x) return
        const off = c % 4 === 0 ? 0 : c % (x.amount + 9)
        return actOnBill(
          setDiscount,
          x,
          x.state === 20 && unpaidOf(x) > 0 && off <= x.amount - x.paid,
          { discount: off },
          { kind: 'amount', amount: off },
        )
      }
      case 'abolish':
        return x && actOnBill(abolishBills, x, [10, 20].includes(x.state) && !x.paid, { state: 30 })
      case 'erase':
        if (x && (await this.try(`erase ${x.id}`, t.call(deleteBills, ids(x.id), me)))) {
          ok(x.state === 30 || (x.state === 20 && !x.paid))
          set(x.id, { deleted: 1 })
        }
        return
      case 'recover': {
        const q = this.pick(
          rows.filter(y => y.state === 30 && !y.deleted),
          b,
        )
        if (
          q &&
          (await this.try(`recover ${q.id}`, t.call(recoverBills, { ...ids(q.id), resetDue: false }, me)))
        ) {
          set(q.id, { state: 20 })
        }
        return
      }
      case 'writeOff':
        return x && actOnBill(writeOffBills, x, x.state === 20 && unpaidOf(x) > 0, { state: 50 })
      case 'reverse':
        return x && actOnBill(reverseWriteOff, x, x.state === 50, { state: 20 })
      case 'payer':
        return (
          x &&
          this.try(
            `payer ${x.id}`,
            t.call(changePayer, { ...ids(x.id), payerKind: 'resident', payerId: payer }, me),
          ).then(() => {})
        )
      case 'split': {
        if (!x) return
        const on = text(day(x.begin) + 1 + (c % 30))
        const owed = x.amount - x.discount
        const byDay = a % 2 === 0 && x.kind !== 'water'
        const amount = asFen(1 + (c % Math.max(1, owed)))
        const isSplittable = x.state === 20 && !x.paid && owed > 0 && (byDay ? on <= x.end : amount < owed)
        const result = await this.try(
          `split ${x.id} ${byDay ? on : amount}`,
          t.call(splitBill, { id: x.id, ...(byDay ? { on } : { amount }), reason }, me),
        )
        same(['split', result !== undefined], ['split', isSplittable])
        if (!result) return
        set(x.id, { state: 40 })
        const first = byDay ? half(owed * (day(on) - day(x.begin)), day(x.end) - day(x.begin) + 1) : amount
        const off = byDay
          ? half(x.discount * (day(on) - day(x.begin)), day(x.end) - day(x.begin) + 1)
          : half(x.discount * amount, owed)
        return expectNewBills((q, i) => {
          same([q.parent, q.discount], [x.id, i ? x.discount - off : off])
          return i ? x.amount - first - off : first + off
        })
      }
      case 'merge': {
        const q = this.pick(
          rows.filter(y => y.state === 40 && !y.deleted),
          b,
        )
        if (!q) return
        const parts = rows.filter(y => y.parent === q.id && !y.deleted)
        const result = await this.try(`merge ${q.id}`, t.call(mergeBill, { id: q.id, reason }, me))
        same(
          ['merge', result !== undefined],
          ['merge', parts.length === 2 && parts.every(y => y.state === 20 && !y.paid)],
        )
        if (result) {
          for (const y of parts) {
            set(y.id, { deleted: 1 })
          }
          set(q.id, {
            state: 20,
            amount: defined(parts[0]).amount + defined(parts[1]).amount,
            discount: defined(parts[0]).discount + defined(parts[1]).discount,
          })
        }
        return
      }
      case 'amount': {
        const q = of('temp', y => !y.deleted)
        if (!q) return
        const sum = 1 + (c % 9000)
        if (
          await this.try(
            `amount ${q.id} ${sum}`,
            t.call(editBillAmount, { id: q.id, amount: asFen(sum), reason }, me),
          )
        ) {
          ok(!q.paid && [10, 20].includes(q.state) && sum >= q.discount)
          set(q.id, { amount: sum })
        }
        return
      }
      case 'reissue': {
        const q = of('temp', y => !y.deleted)
        if (
          q &&
          (await this.try(
            `reissue ${q.id}`,
            t.call(reissueBill, { id: q.id, amount: asFen(1 + (c % 9000)), reason }, me),
          ))
        ) {
          set(q.id, { state: 30 })
          await expectNewBills(() => 1 + (c % 9000))
        }
        return
      }
      case 'pay': {
        const list = rows.filter(y => y.state === 20 && !y.deleted && unpaidOf(y) > 0)
        const some = [...new Set([this.pick(list, b), this.pick(list, b >> 4)])].filter(y => y !== undefined)
        const due = some.reduce((s, y) => s + unpaidOf(y), 0)
        const sum = c % 3 ? due : Math.max(1, Math.floor(due / 3))
        if (!due) return
        const result = await this.try(
          `pay ${some.map(y => y.id).join('+')} ${sum}`,
          t.call(
            payBills,
            {
              projectCode,
              billIds: some.map(y => String(y.id)),
              expectAmount: asFen(due),
              methods: [{ method: 'cash', amount: asFen(sum) }],
            },
            me,
          ),
        )
        if (!result) throw new Error('the payment was refused')
        const record = await t.call(getRecord, { id: result.recordId }, me)
        same(
          record.details.reduce((s, d) => s + d.principal, 0),
          sum,
        )
        for (const d of record.details) {
          set(d.billId, { paid: defined(this.known.get(d.billId)).paid + d.principal })
        }
        this.records.push(result.recordId)
        return
      }
      case 'void':
      case 'refund': {
        const q = this.pick(this.records, b)
        if (!q) return
        const record = await t.call(getRecord, { id: q }, me)
        const after = defined((['owed', 'abolished', 'kept'] as const)[c % 3])
        const result = await this.try(
          `${action} ${q} ${action === 'refund' ? after : ''}`,
          action === 'void'
            ? t.call(voidRecord, { id: q, reason }, me).then(() => true)
            : t
                .call(
                  requestRefund,
                  {
                    recordId: asId(q),
                    lines: record.details
                      .filter(d => d.principal > d.refundedPrincipal)
                      .map(d => ({
                        detailId: d.id,
                        principal: asFen(d.principal - d.refundedPrincipal),
                        late: asFen(0),
                      })),
                    refundWay: 'cash',
                    billAfter: after,
                    reason,
                  },
                  me,
                )
                .then(() => true),
        )
        if (!result) return
        for (const d of record.details) {
          const id = this.mergedBillId(d.billId)
          const sum = d.principal - d.refundedPrincipal
          if (!sum) continue
          const k = defined(this.known.get(id))
          set(id, {
            paid: k.paid - sum,
            ...(action === 'refund' && after === 'abolished' ? { state: 30 } : {}),
            ...(action === 'refund' && after === 'kept' ? { discount: k.discount + sum } : {}),
          })
        }
        return
      }
      case 'prepaid':
        if (a % 2) {
          if (
            await this.try(
              'top-up',
              t.call(
                topUp,
                {
                  projectCode,
                  ownerKind: 'room',
                  ownerCode: defined(rooms[0]).code,
                  methods: [{ method: 'cash', amount: asFen(5000) }],
                },
                me,
              ),
            )
          ) {
            this.prepaidBalance += 5000
            this.toppedUp += 5000
          }
        } else {
          const result = await this.try(
            'deduct',
            t.call(deductRooms, { projectCode, roomCodes: [defined(rooms[0]).code] }, me),
          )
          if (!result) return
          const before = this.rows
          await this.reload()
          let drawn = 0
          for (const q of this.rows) {
            const was = defined(before.find(y => y.id === q.id))
            if (q.paid > was.paid) {
              ok(was.state === 20 && q.room === defined(rooms[0]).code)
              drawn += q.paid - was.paid
              set(q.id, { paid: q.paid })
            }
          }
          same(drawn, result.amount)
          this.prepaidBalance -= drawn
          ok(this.prepaidBalance >= 0)
        }
        return
      case 'end':
      case 'relation': {
        const endDate = text(day('2026-09-15') + (c % 100))
        const result = await this.try<unknown>(
          `${action} ${r} ${endDate}`,
          action === 'end'
            ? t.call(endRelations, { ids: [String(r)], endDate, reason }, me)
            : t.call(
                editRelation,
                {
                  id: r,
                  projectCode,
                  sourceType: 'room',
                  sourceCode: defined(rooms[a % 2]).code,
                  standardId: this.fee.standardId,
                  beginDate: '2026-09-01',
                  ...(c % 2 ? { endDate } : {}),
                  ...(await this.freeOf(r)),
                  remark: reason,
                },
                me,
              ),
        )
        if (!result) return
        await this.ended(r)
        return
      }
      case 'stop':
        await this.try(`stop ${r}`, t.call(stopRelations, { ids: [String(r)], reason }, me))
        return
      case 'resume':
        await this.try(
          `resume ${r}`,
          t.call(
            resumeRelations,
            {
              ids: [String(r)],
              resumeMode: c % 2 ? 'onwards' : 'backwards',
              day: text(day('2026-11-01') + (c % 40)),
            },
            me,
          ),
        )
        return
      case 'price': {
        const from = firstDay(monthAt(1 + (c % 4)))
        const fen = 5000 + (c % 9000)
        if (
          await this.try(
            `price ${from} ${fen}`,
            t.call(
              changePrice,
              {
                standardId: this.fee.standardId,
                effectiveDate: from,
                price: (fen / 100).toFixed(2),
                reason,
              },
              me,
            ),
          )
        ) {
          this.prices.set(from, fen)
        }
        return
      }
      case 'reprice': {
        const feeBills = rows.filter(q => q.kind === 'fee' && isLive(q))
        const result = feeBills.length
          ? await this.try('reprice', t.call(repriceBills, ids(...feeBills.map(q => q.id)), me))
          : undefined
        if (!result) return
        const before = new Map(feeBills.map(q => [q.id, q]))
        await this.reload()
        for (const q of this.rows) {
          if (before.has(q.id) && q.state === 30) {
            ok(!q.paid && !q.discount && this.chargedFor(q) !== q.amount)
            set(q.id, { state: 30 })
          }
        }
        return expectNewBills(q => this.chargedFor(q))
      }
      case 'undo': {
        const no = this.pick([...new Set(rows.flatMap(q => q.batch ?? []))], b)
        if (!no) return
        const run = defined(
          await t.database
            .reader(ownerId)
            .one<{ id: Id }>(sql`select id from bill_run where owner_id = ${ownerId} and batch_no = ${no}`),
        )
        const batchBills = rows.filter(q => q.batch === no && !q.deleted && [10, 20].includes(q.state))
        const onlyUnpaid = c % 2 === 0
        const result = await this.try(`undo ${no}`, t.call(undoRun, { id: run.id, onlyUnpaid, reason }, me))
        same(
          ['undo', result !== undefined],
          ['undo', batchBills.some(q => !q.paid) && (onlyUnpaid || batchBills.every(q => !q.paid))],
        )
        if (result) {
          for (const q of batchBills) {
            if (!q.paid) {
              set(q.id, { state: 30 })
            }
          }
        }
        return
      }
      case 'read': {
        const last = this.readings.filter(q => !q.deleted).at(-1)
        const date = text(day(last?.date ?? '2026-06-20') + 25 + (c % 8))
        await this.try(
          `read ${date}`,
          t.call(
            addReading,
            {
              meterId: this.meter,
              readDate: date,
              curNum: String((last?.num ?? 0) + 1 + (b % 40)),
              month: monthOf(date),
            },
            me,
          ),
        )
        return
      }
      case 'right': {
        const q = this.pick(
          this.readings.filter(y => !y.deleted),
          b,
        )
        if (q) {
          await this.try(
            `read ${q.id} right`,
            c % 3
              ? t
                  .call(
                    editReading,
                    {
                      id: q.id,
                      meterId: this.meter,
                      readDate: q.date,
                      curNum: String(q.num + 1 + (c % 5)),
                      month: monthOf(q.date),
                    },
                    me,
                  )
                  .then(() => true)
              : t.call(deleteReadings, ids(q.id), me).then(result => result.success > 0),
          )
        }
        return
      }
      case 'water':
        if (
          await this.try(
            'bill readings',
            t.call(generateMeterBills, { projectCode, meterIds: [String(this.meter)] }, me),
          )
        ) {
          await expectNewBills(q => this.tons(q) * 345)
        }
        return
      case 'pool': {
        const total = defined(
          await t.database.reader(ownerId).one<{ sum: number }>(
            sql`
              select (total_amount * 100)::bigint as sum
              from share_pool
              where owner_id = ${ownerId} and id = ${this.pool}
            `,
          ),
        ).sum
        const poolBills = rows.filter(q => q.kind === 'pool' && q.ref === this.pool && isLive(q))
        if (a % 3 === 0) {
          const result = await this.try(
            'pool edited',
            t.call(
              editPool,
              {
                id: this.pool,
                projectCode,
                name: '电梯电费',
                standardId: this.share.standardId,
                month: '2026-10',
                weightType: 'household',
                totalAmount: asFen(3 + (b % 20_000)),
                vacantIncluded: true,
                dayWeight: false,
              },
              me,
            ),
          )
          same(['edit', result !== undefined], ['edit', !poolBills.length])
          return
        }
        if (a % 3 === 1) {
          const shared = rows.filter(q => q.kind === 'pool' && isLive(q))
          const right = shared.reduce((s, q) => s + q.amount, 0) + 1 + (b % 900)
          const fix = await this.try(
            'pool corrected',
            t.call(correctPool, { id: this.pool, right, remark: reason }, me),
          )
          if (!fix) return
          same(fix.totalAmount, 1 + (b % 900))
          if (await this.try('correction shared', t.call(runPool, { id: fix.id }, me))) {
            let sum = 0
            await expectNewBills(q => {
              sum += q.amount
              return q.amount
            })
            same(sum, 1 + (b % 900))
          }
          return
        }
        const result = await this.try('pool shared', t.call(runPool, { id: this.pool }, me))
        same(['share', result !== undefined], ['share', !poolBills.length])
        if (result) {
          await expectNewBills((_, i) => Math.floor(total / 3) + (i < total % 3 ? 1 : 0))
        }
      }
    }
  }
  /** The bill on which money of a half stands that was put together again. */
  mergedBillId(id: Id): Id {
    const b = defined(this.rows.find(q => q.id === id))
    return b.deleted && b.parent ? this.mergedBillId(b.parent) : id
  }
  tons(b: Row): number {
    const q = defined(this.readings.find(y => y.id === b.ref))
    return q.num - q.last
  }
  async freeOf(r: number): Promise<object> {
    const f = defined(
      await t.database.reader(ownerId).one<{ free?: object[] }>(sql`
        select free
        from fee_relation
        where owner_id = ${ownerId}
          and id = ${r}
      `),
    ).free
    return f ? { free: f } : {}
  }
  /** Charging ends: what nobody has paid past the end goes, what spans it is split by days. */
  async ended(r: number): Promise<void> {
    const before = this.rows
    await this.reload()
    const { end } = defined(
      await t.database
        .reader(ownerId)
        .one<{ end?: string }>(
          sql`select end_date as end from fee_relation where owner_id = ${ownerId} and id = ${r}`,
        ),
    )
    for (const q of this.rows.filter(y => y.relation === r && y.kind === 'fee')) {
      const was = before.find(y => y.id === q.id)
      if (was) {
        if (was.state !== q.state) {
          ok(end !== undefined && was.state === 20 && !was.paid && q.end > end)
          same(q.state, q.begin > end ? 30 : 40)
          defined(this.known.get(q.id)).state = q.state
        }
        continue
      }
      const p = defined(before.find(y => y.id === q.parent))
      const owed = p.amount - p.discount
      const days = day(p.end) - day(p.begin) + 1
      const keptDays = day(defined(end)) - day(p.begin) + 1
      const first = half(owed * keptDays, days)
      const off = half(p.discount * keptDays, days)
      const early = q.begin === p.begin
      same(
        [q.end <= defined(end), q.amount, q.discount, q.state],
        [
          early,
          early ? first + off : p.amount - first - off,
          early ? off : p.discount - off,
          early ? 20 : 30,
        ],
      )
      this.known.set(q.id, { amount: q.amount, discount: q.discount, paid: 0, state: q.state, deleted: 0 })
    }
    if (end !== undefined) {
      for (const q of this.rows) {
        if (q.relation === r && q.kind === 'fee' && q.end > end && isLive(q)) {
          ok(
            q.paid > 0 || q.state === 50 || (before.find(y => y.id === q.id)?.end ?? '') > end,
            `${q.no} goes on past ${end}`,
          )
        }
      }
    }
  }
  /** After a month's run nothing of it is open without a reason. */
  async charges(month: string): Promise<void> {
    for (const r of await t.database.reader(ownerId).rows<{
      id: Id
      state: number
      begin: string
      end?: string
      free?: { begin: string; end: string }[]
    }>(sql`
      select id, state, begin_date as begin, end_date as end, free
      from fee_relation
      where owner_id = ${ownerId} and id = any(${this.relations})
    `)) {
      if (r.state === 20) continue
      const relationBills = this.rows.filter(q => q.relation === r.id && q.kind === 'fee' && isLive(q))
      for (let d = day(`${month}-01`); d < day(`${month}-01`) + lengthOf(month); d++) {
        const at = text(d)
        if (at >= r.begin && at <= (r.end ?? '9999') && !r.free?.some(f => f.begin <= at && at <= f.end)) {
          same(
            [r.id, at, relationBills.filter(q => q.begin <= at && at <= q.end).length > 0],
            [r.id, at, true],
          )
        }
      }
    }
  }
  async agree(): Promise<void> {
    await this.reload()
    const { rows, project: projectCode } = this
    same(
      rows.map(({ id, amount, discount, paid, state, deleted }) => ({
        id,
        amount,
        discount,
        paid,
        state,
        deleted,
      })),
      rows.map(q => ({ id: q.id, ...this.known.get(q.id) })),
    )
    // No day of a relation is billed twice: halves of one bill by amount share their days.
    for (const r of this.relations) {
      const relationBills = rows.filter(q => q.relation === r && q.kind === 'fee' && isLive(q))
      for (const [i, q] of relationBills.entries()) {
        for (const y of relationBills.slice(i + 1)) {
          ok(
            q.root === y.root || q.end < y.begin || y.end < q.begin,
            `${q.no} and ${y.no} charge the same days`,
          )
        }
      }
    }
    const relations = await t.database.reader(ownerId).rows<{
      id: Id
      begin: string
      to?: string
      floor?: string
      free?: { begin: string; end: string }[]
    }>(sql`
      select id, begin_date as begin, billed_to as to, run_floor as floor, free
      from fee_relation
      where owner_id = ${ownerId} and id = any(${this.relations})
    `)
    for (const r of relations) {
      const relationBills = rows.filter(q => q.relation === r.id && q.kind === 'fee')
      const last = relationBills
        .filter(isLive)
        .map(q => q.end)
        .toSorted()
        .at(-1)
      if (last) {
        ok((r.to ?? '') >= last, `${r.id} is billed to ${r.to}, its bills to ${last}`)
      }
      for (let d = day(r.begin); r.to && d <= day(r.to); d++) {
        const at = text(d)
        ok(
          relationBills.some(q => q.begin <= at && at <= q.end) ||
            r.free?.some(f => f.begin <= at && at <= f.end) ||
            (r.floor ?? '') >= at,
          `${at} of ${r.id} is billed to and was never charged`,
        )
      }
    }
    // A reading waits, or one bill has it, whole or in parts.
    for (const q of this.readings) {
      const roots = new Set(
        rows.filter(b => b.kind === 'water' && b.ref === q.id && isLive(b)).map(b => b.root),
      )
      same([q.id, roots.size, q.state], [q.id, q.state === 20 ? 1 : 0, q.deleted ? 30 : q.state])
      if (q.state === 20) {
        same(q.bill, [...roots][0])
      }
    }
    // At most one share of a pool each.
    for (const [, some] of Map.groupBy(
      rows.filter(q => q.kind === 'pool' && isLive(q)),
      q => `${q.ref}/${q.relation}`,
    )) {
      same(new Set(some.map(q => q.root)).size, 1)
    }
    const due = rows.filter(q => q.state === 20 && !q.deleted)
    const list = await t.call(listBills, { projectCode, size: 1 }, me)
    const sum = (of: (b: Row) => number): number => due.reduce((s, q) => s + of(q), 0)
    same(
      [
        list.total,
        defined(list.sum).receivable,
        defined(list.sum).discountAmount,
        defined(list.sum).paidPrincipal,
        defined(list.sum).unpaid,
      ],
      [due.length, sum(q => q.amount - q.discount), sum(q => q.discount), sum(q => q.paid), sum(unpaidOf)],
    )
    const prepaid = await t.database.reader(ownerId).one<{ sum: number; low: number }>(
      sql`
          select coalesce(sum(balance) * 100, 0)::bigint as sum,
            coalesce(min(balance) * 100, 0)::bigint as low
          from prestore_account
          where owner_id = ${ownerId} and project_code = ${projectCode}
        `,
    )
    same(defined(prepaid).low >= 0, true)
    same(await findViolations(t.database.reader(ownerId), ownerId), [])
  }
}

/**
 * At the end of a history the reports of the bills, of the day and the collections agree with the reference
 * calculation.
 */
async function reports(p: Play): Promise<void> {
  const q = { projectCode: p.project, size: 1 }
  const due = p.rows.filter(r => r.state === 20 && !r.deleted)
  const sum = (of: (r: Row) => number): number => due.reduce((s, r) => s + of(r), 0)
  const paid = p.rows.reduce((s, r) => s + (r.deleted ? 0 : r.paid), 0)
  const should = defined((await t.call(receivables.list, q, me)).sum)
  const collected = defined((await t.call(dailyCollections.list, q, me)).sum)
  same(
    [should.count, should.receivable, should.paid, should.unpaid],
    [due.length, sum(r => r.amount - r.discount), sum(r => r.paid), sum(unpaidOf)],
  )
  same(
    [collected.net, collected.offset, collected.prestoreIn],
    // New money only: what was paid out of prestore had come before.
    [paid + p.prepaidBalance, p.toppedUp - p.prepaidBalance, p.toppedUp],
  )
}

async function runSteps(steps: readonly Step[]): Promise<void> {
  const p = new Play(`B${String(++n).padStart(4, '0')}`)
  await p.open()
  await p.agree()
  try {
    for (const s of steps) {
      await p.step(s)
      await p.agree()
    }
    await reports(p)
    if (process.env.MODEL_LOG) {
      console.log(p.log.join('\n'))
    }
  } catch (e) {
    const fault = toError(e)
    fault.message += `\n— after —\n${p.log.join('\n')}`
    throw fault
  }
}

const kinds: Readonly<Record<string, number>> = {
  generate: 16,
  prepay: 4,
  temporary: 6,
  import: 1,
  discount: 6,
  abolish: 8,
  erase: 5,
  recover: 9,
  writeOff: 3,
  reverse: 4,
  payer: 2,
  split: 9,
  merge: 7,
  amount: 3,
  reissue: 4,
  pay: 8,
  void: 4,
  refund: 7,
  prepaid: 4,
  end: 4,
  relation: 4,
  stop: 2,
  resume: 4,
  price: 3,
  reprice: 5,
  undo: 5,
  read: 6,
  right: 5,
  water: 5,
  pool: 8,
}

const step = fc.record({
  do: fc.oneof(...Object.entries(kinds).map(([k, weight]) => ({ arbitrary: fc.constant(k), weight }))),
  a: fc.nat(999),
  b: fc.nat(99_999),
  c: fc.nat(99_999),
})

/**
 * `MODEL_RUNS` and `MODEL_LENGTH` make it longer; `MODEL_SEED` repeats one that failed, `MODEL_SHRINK` makes
 * it shorter.
 */
const runs = Number(process.env.MODEL_RUNS ?? 4)
const length = Number(process.env.MODEL_LENGTH ?? 50)

it(`any history of bills keeps the books: ${runs} of ${length} actions against an independent model`, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: length, maxLength: length, size: 'max' }), runSteps),
    {
      numRuns: runs,
      ...(process.env.MODEL_SEED ? { seed: Number(process.env.MODEL_SEED) } : {}),
      plugins: [fc.interruptAfterTimeLimit(15_000 * Math.max(1, runs / 4))],
      endOnFailure: process.env.MODEL_SHRINK !== '1',
      verbose: 1,
    },
  )
}, 3_600_000)
