import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Day } from '#kit/domain/day.ts'
import { parseYuan } from '#kit/domain/money.ts'
import type { Moment } from '#kit/domain/moment.ts'
import { codeOf, keyOf } from '#kit/contract/field.ts'
import { invalidInput, notFound } from '#kit/contract/wire.ts'
import { sql, type Db, type RawBuilder } from '#kit/server/db.ts'
import { reads, writes, type ReadContext } from '#kit/server/handler.ts'
import { auditReveal, requirePersonalData } from '#kit/server/privacy.ts'
import { maskPhone } from '#kit/contract/text.ts'
import { hasBuilding, hasProject, outOfDomain, type Scope } from '#kit/server/scope.ts'
import { code, codes, notDeleted } from '#kit/server/sql.ts'
import { assertDiscountNeedsNoApproval, discountBills, payableBills } from '#modules/bills/server/public.ts'
import { billState, payState, roundOffMode } from '#modules/bills/contract/choices.ts'
import { payerSide, sourceType } from '#modules/fees/contract/choices.ts'
import { orderState, payMethod, recordState, recordType } from '../contract/choices.ts'
import { discountCashierBills, findPayers, getCashierView, revealPayerMobile } from '../contract/cashier.ts'
import { isDepositBill } from '../domain/deposit-bills.ts'
import { groupBySource, isSelectedByDefault } from './cashier-bills.ts'
import { findSources } from './cashier-search.ts'
import { findSourceSummary, type SourceKey, type SourceSummary } from './cashier-source.ts'
import { getPayRules } from './settings.ts'
import { tenderProviderOf } from './tenders.ts'

type CashierInput = NonNullable<typeof getCashierView.input.T>

const maxBills = 500

const isInDomain = (scope: Scope, project: string, building: string | undefined): boolean =>
  building ? hasBuilding(scope.domain, project, building) : hasProject(scope.domain, project)

/** Bills `b` of one object; of a room also those of its parking places. */
const sourceFilter = ({ ownerId, projectCode, type, code: sourceCode }: SourceKey): RawBuilder<unknown> => {
  const itself = sql`(b.source_type = ${code(sourceType, type)} and b.source_code = ${sourceCode})`
  if (type !== 'room') return itself
  return sql`${itself} or (
    b.source_type = ${code(sourceType, 'parkPlace')}
    and b.source_code in (
      select k.code
      from park_place k
      where k.owner_id = ${ownerId}
        and k.project_code = ${projectCode}
        and k.room_code = ${sourceCode}
        and ${notDeleted('k')}
    )
  )`
}

interface OwingSource {
  readonly type: number
  readonly code: string
  readonly name: string
  readonly count: number
  readonly unpaid: string
}

interface LastPayment {
  readonly id: Id
  readonly time: Moment
  readonly amount: string
  readonly method: number
  readonly methods: number
}

interface OpenOrder {
  readonly orderNo: string
  readonly amount: string
}

/** Bills `b` that are owed now. */
const isOwed = ({ ownerId, projectCode }: SourceKey): RawBuilder<unknown> =>
  sql`b.owner_id = ${ownerId}
    and b.project_code = ${projectCode}
    and ${notDeleted('b')}
    and b.state = ${code(billState, 'normal')}
    and b.pay_state = ${code(payState, 'unpaid')}`

/** The newest valid payment for an object. */
const selectLastPayment = (key: SourceKey): RawBuilder<LastPayment> =>
  sql`
    select p.id, p.pay_time as time, p.received_amount::text as amount, p.pay_method::int as method,
      (
        select count(*)::int
        from jsonb_array_elements(p.methods) m
        where (m ->> 'amount')::bigint <> 0
      ) as methods
    from pay_record p
    where p.owner_id = ${key.ownerId}
      and p.state <> ${code(recordState, 'voided')}
      and p.record_type = ${code(recordType, 'payment')}
      and p.id in (
        select d.record_id
        from pay_detail d
        join bill b on b.owner_id = ${key.ownerId} and b.id = d.bill_id
        where d.owner_id = ${key.ownerId}
          and d.principal > 0
          and b.project_code = ${key.projectCode}
          and (${sourceFilter(key)})
      )
    order by p.pay_time desc, p.id desc
    limit 1
  `

/** Orders not yet paid that hold bills of an object (PAY-1). */
const selectOpenOrders = (key: SourceKey): RawBuilder<OpenOrder> =>
  sql`
    select o.order_no, o.amount::text as amount
    from pay_order o
    where o.owner_id = ${key.ownerId}
      and o.state in ${codes(orderState, 'waiting', 'paying')}
      and o.id in (
        select b.lock_order_id
        from bill b
        where ${isOwed(key)} and b.lock_order_id is not null and (${sourceFilter(key)})
      )
    order by o.id
  `

/** Open bills of an object, what else its payer owes, the last payment for it, orders that hold its bills. */
function findOwing(db: Db, key: SourceKey, payer: Pick<SourceSummary, 'payerId' | 'payerKind'>) {
  const sources = sourceFilter(key)
  return db.all<[{ id: Id; promise?: Day }, OwingSource, LastPayment, OpenOrder]>(
    sql`
      select b.id, b.promise_date as promise
      from bill b
      where ${isOwed(key)} and (${sources})
      order by b.id
      limit ${sql.lit(maxBills)}
    `,
    sql`
      select b.source_type::int as type, b.source_code as code, b.source_name as name, count(*)::int as count,
        sum(b.unpaid)::text as unpaid
      from bill b
      where ${isOwed(key)}
        and b.payer_id = ${payer.payerId ?? -1}
        and b.payer_kind = ${payer.payerKind ?? -1}
        and not (${sources})
      group by 1, 2, 3
      order by 3
      limit 20
    `,
    selectLastPayment(key),
    selectOpenOrders(key),
  )
}

const toLastPayment = (last: LastPayment | undefined) =>
  last && {
    lastPayTime: last.time,
    lastPayAmount: parseYuan(last.amount),
    lastPayMethod: defined(keyOf(payMethod, last.method)),
    lastPayMixed: last.methods > 1,
    lastRecordId: last.id,
  }

/** The object and who pays for it; one outside the data domain is refused. */
async function requireSource(db: Db, scope: Scope, input: CashierInput) {
  const { projectCode, sourceCode } = input
  if (!hasProject(scope.domain, projectCode)) throw outOfDomain()
  const key = { ownerId: scope.ownerId, projectCode, type: input.sourceType, code: sourceCode }
  const summary = await findSourceSummary(db, key)
  if (!summary) throw notFound()
  if (!isInDomain(scope, projectCode, summary.building)) throw outOfDomain()
  return { key, summary }
}

async function readCashierView(input: CashierInput, { db, scope, today, now }: ReadContext) {
  const { projectCode, sourceCode } = input
  const { key, summary } = await requireSource(db, scope, input)
  const [openBills, otherSources, [lastPayment], openOrders] = await findOwing(db, key, summary)
  const bills = await payableBills(
    db,
    scope,
    openBills.map(bill => bill.id),
    today,
  )
  const rules = await getPayRules(db, scope.ownerId, projectCode)
  const isFeeDue = bills.some(({ row }) => !isDepositBill(row) && isSelectedByDefault(row, today))
  const groups = groupBySource(bills, { today, now, isFeeDue })
  const payerKind = summary.payerKind === undefined ? undefined : keyOf(payerSide, summary.payerKind)
  const prestore = await tenderProviderOf('prestore')?.balances(db, scope, {
    projectCode,
    payer: { kind: payerKind, id: summary.payerId, name: summary.payerName },
    sources: [{ sourceType: input.sourceType, sourceCode }, ...groups],
  })
  return {
    sourceType: input.sourceType,
    sourceCode,
    sourceName: summary.name,
    roomId: input.sourceType === 'room' ? summary.id : undefined,
    area: summary.area,
    payerKind,
    payerId: summary.payerId,
    payerName: summary.payerName,
    payerMobile: summary.mobile,
    relation: summary.relation,
    groups,
    others: otherSources.map(other => ({
      sourceType: defined(keyOf(sourceType, other.type)),
      sourceCode: other.code,
      sourceName: other.name,
      count: other.count,
      unpaid: parseYuan(other.unpaid),
    })),
    prestore: prestore ?? [],
    ...toLastPayment(lastPayment),
    openOrders: openOrders.map(o => ({ orderNo: o.orderNo, amount: parseYuan(o.amount) })),
    promise: nextPromise(openBills, today),
    roundOff: Number(codeOf(roundOffMode, rules.roundOff)),
    allowPartial: rules.allowPartial,
    changeLimit: rules.changeLimit,
    backDateDays: rules.backDateDays,
  }
}

/** The nearest day, from today on, by which the payer has promised to pay. */
const nextPromise = (bills: readonly { readonly promise?: Day }[], today: Day): Day | undefined =>
  bills
    .flatMap(bill => bill.promise ?? [])
    .filter(promise => promise >= today)
    .toSorted()[0]

export const cashierHandlers = [
  writes(discountCashierBills, async (input, { tx, scope, today, now }) => {
    await assertDiscountNeedsNoApproval({ tx, scope }, input)
    const result = await discountBills(tx, { scope, today, now }, input)
    const [refused] = result.rows
    if (!refused) return result
    // The payer sees one sum: nothing is rounded off where one of the bills refuses it.
    const Field = input.kind === 'rate' ? 'DiscountRate' : 'DiscountAmount'
    throw invalidInput([
      { Field, Message: `${refused.code ? `账单 ${refused.code}：` : ''}${refused.reason}` },
    ])
  }),
  reads(findPayers, async ({ projectCode, keyword }, { db, scope }) => {
    if (!hasProject(scope.domain, projectCode)) throw outOfDomain()
    const found = await findSources(db, {
      ownerId: scope.ownerId,
      projectCode,
      keyword,
      buildings: scope.domain.projects.get(projectCode) ?? undefined,
    })
    return found.map(source => ({
      sourceType: defined(keyOf(sourceType, source.type)),
      sourceCode: source.code,
      sourceName: source.name,
      ...(source.note ? { note: source.note } : {}),
      matchedLabel: source.matched.label,
      matchedText:
        source.matched.text === source.foundMobile
          ? // A list of hits shows no number in full to anybody (PERM-7).
            source.foundMobile && maskPhone(source.foundMobile)
          : source.matched.text,
      count: source.count,
      unpaid: parseYuan(source.unpaid),
    }))
  }),
  reads(getCashierView, readCashierView),
  writes(revealPayerMobile, async (input, { tx, scope }) => {
    requirePersonalData(scope)
    const { summary } = await requireSource(tx, scope, input)
    const kind = summary.payerKind === undefined ? undefined : keyOf(payerSide, summary.payerKind)
    if (!summary.mobile || !kind || !summary.payerId) throw notFound()
    const { label } = defined(getCashierView.output.fields.payerMobile)
    await auditReveal(tx, scope, { entity: kind, entityId: summary.payerId, label })
    return summary.mobile
  }),
]
