import { defined } from '#kit/domain/defined.ts'
import { refuse, invalidInput } from '#kit/contract/wire.ts'
import { formatYuan, parseYuan } from '#kit/domain/money.ts'
import { dayOfMoment, type Moment } from '#kit/domain/moment.ts'
import type { Day } from '#kit/domain/day.ts'
import { sql, type Db, type RawBuilder, type Tx } from '#kit/server/db.ts'
import { reads } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import {
  findByIds,
  filterConditions,
  insert,
  keywordCondition,
  findAll,
  tenantFilter,
} from '#kit/server/table.ts'
import { toEntityRow } from '#kit/server/column-storage.ts'
import { code, codes, live } from '#kit/server/sql.ts'
import { payRecord, type PayRecord } from '#modules/payments/contract/record.ts'
import {
  recordInvoicedParts,
  invoiceablePartsQuery,
  findInvoiceableParts,
  type InvoiceablePart,
} from '#modules/payments/server/public.ts'
import { listWaitingPayments, getInvoiceable } from '../contract/invoicing.ts'
import { invoiceKind, invoiceState, goodState } from '../contract/choices.ts'
import { invoiceGood, type InvoiceGood, type InvoiceSetting } from '../contract/setting.ts'
import { invoiceRecord, type InvoiceRecord } from '../contract/record.ts'
import type { Title } from '../contract/title.ts'
import {
  kindRefusal,
  limitRefusal,
  typeAndMediumOf,
  partRefusal,
  type InvoiceKind,
} from '../domain/invoice.ts'
import { toInvoiceLines, sumLines, type InvoicePiece } from '../domain/tax.ts'
import { findSetting } from './setting.ts'
import { rememberTitle, assertTitleValid, findTitles, type InvoicePayer } from './title.ts'
import { entryType } from '#modules/prestore/contract/choices.ts'

export const sellerOf = ({
  companyName,
  taxNo,
  address,
  bank,
  drawer,
  payee,
  reviewer,
}: InvoiceSetting): InvoiceRecord['seller'] => ({
  companyName,
  taxNo,
  address,
  bank,
  drawer,
  payee,
  reviewer,
})

export const payerOf = (
  r: Pick<PayRecord, 'payerKind' | 'payerId' | 'payerName' | 'sourceName'>,
): InvoicePayer => ({
  kind: r.payerId ? r.payerKind : undefined,
  id: r.payerId || undefined,
  name: r.payerName ?? r.sourceName,
})

const isSamePayer = (a: InvoicePayer, b: InvoicePayer): boolean =>
  a.id !== undefined || b.id !== undefined ? a.id === b.id && a.kind === b.kind : a.name === b.name

/** INV-1: records of one project and one payer; refuses others in words. */
function requireOnePayer(list: readonly PayRecord[]): {
  readonly payer: InvoicePayer
  readonly project: string
} {
  const [first, ...rest] = list
  if (!first) return refuse('请选择要开票的收款')
  const payer = payerOf(first)
  if (rest.some(r => r.projectCode !== first.projectCode)) refuse('一张发票只能开同一个项目的收款')
  const other = rest.find(r => !isSamePayer(payerOf(r), payer))
  return other
    ? refuse(`一张发票只能开给一位缴费人：${payer.name} 与 ${payerOf(other).name} 请分开开票`)
    : { payer, project: first.projectCode }
}

interface PartContext {
  readonly goods: ReadonlyMap<number, InvoiceGood>
  readonly items: ReadonlyMap<number, { readonly good?: number; readonly rate?: string }>
  readonly noTax?: InvoiceGood | undefined
  readonly forDeposit?: InvoiceGood | undefined
  readonly cleared: ReadonlySet<number>
  readonly refunding: ReadonlySet<number>
}

/**
 * What deciding about parts needs to know beside them: goods, their items, which bills are clear, which
 * payments are being refunded.
 */
async function findPartContext(
  db: Db,
  scope: Scope,
  list: readonly PayRecord[],
  parts: readonly InvoiceablePart[],
): Promise<PartContext> {
  const goods = await findAll(
    db,
    invoiceGood,
    scope,
    {},
    { where: [sql`t.state = ${code(goodState, 'on')}`] },
  )
  const ids = parts.flatMap(p => p.feeItemId ?? [])
  const bills = parts.flatMap(p => p.billId ?? [])
  const items = await db.rows<{ id: number; good?: number; rate?: string }>(
    sql`
      select id, invoice_good_id as good, trim_scale(tax_rate)::text as rate
      from fee_item
      where owner_id = ${scope.ownerId} and id = any(${ids}::bigint[])
    `,
  )
  const cleared = await db.rows<{ id: number }>(
    sql`
      select id from bill where owner_id = ${scope.ownerId} and id = any(${bills}::bigint[]) and unpaid <= 0
    `,
  )
  return {
    goods: new Map(goods.map(g => [g.id, g])),
    items: new Map(items.map(i => [i.id, i])),
    noTax: goods.find(g => g.isNoTax),
    forDeposit: goods.find(g => g.isDeposit),
    cleared: new Set(cleared.map(b => b.id)),
    refunding: new Set(list.filter(r => r.refundingAmount > 0).map(r => r.id)),
  }
}

const goodOf = (
  p: InvoiceablePart,
  b: PartContext,
): { readonly good: InvoiceGood; readonly rate: string } | undefined => {
  if (p.income) return b.forDeposit && { good: b.forDeposit, rate: b.forDeposit.taxRate }
  if (p.feeItemId === undefined) return b.noTax && { good: b.noTax, rate: '0' }
  const i = b.items.get(p.feeItemId)
  const good = i?.good === undefined ? undefined : b.goods.get(i.good)
  return good && { good, rate: good.isNoTax ? '0' : (defined(i).rate ?? good.taxRate) }
}

const findPartRefusal = (
  p: InvoiceablePart,
  amount: number,
  b: PartContext,
  set: Pick<InvoiceSetting, 'refuseNextYear' | 'paidUpOnly'>,
  today: Day,
): string | undefined =>
  partRefusal(
    {
      ...p,
      amount,
      label: p.sourceName,
      billCleared: p.billId === undefined || b.cleared.has(p.billId),
      refunding: b.refunding.has(p.recordId),
      good: goodOf(p, b) !== undefined,
    },
    set,
    today,
  )

const noSettingText = '还没有开票设置，请先到「发票设置」填写销方与开票通道'

export interface InvoiceRequest {
  readonly parts: readonly {
    readonly recordId: number
    readonly detailId?: number | undefined
    readonly amount: number
  }[]
  readonly kind: InvoiceKind
  readonly title: Title
  readonly remark?: string | undefined
  readonly originalId?: number | undefined
}

/**
 * INV-1: takes the amounts of one payer's payments onto one invoice (待开具). The payments are locked first: of
 * two clerks one wins, the other is told. Its number is ours and stays: the platform is asked under it and no
 * other until it says no.
 */
export async function createInvoice(
  tx: Tx,
  scope: Scope,
  w: InvoiceRequest,
  now: Moment,
): Promise<InvoiceRecord> {
  const records = w.parts.map(p => p.recordId)
  const seen = await findByIds(tx, payRecord, scope, [...new Set(records)])
  if (seen.length !== new Set(records).size) refuse('有收款已被删除，请刷新后重试')
  const set = (await findSetting(tx, scope.ownerId, seen[0]?.projectCode)) ?? refuse(noSettingText)
  const open = await findInvoiceableParts(tx, scope.ownerId, records, set.prestoreMode, true)
  const list = await findByIds(tx, payRecord, scope, [...new Set(records)])
  const { payer, project } = requireOnePayer(list)
  const no = kindRefusal(w.kind, set)
  if (no) throw invalidInput([{ Field: 'Kind', Message: no }])
  assertTitleValid(w.title, w.kind)
  const by = new Map(open.map(p => [`${p.recordId}/${p.detailId ?? ''}`, p]))
  const about = await findPartContext(tx, scope, list, open)
  const once = new Set<string>()
  const chosen = w.parts.map((x, i) => {
    const key = `${x.recordId}/${x.detailId ?? ''}`
    const p = by.get(key)
    const bad = (message: string): never => {
      throw invalidInput([{ Field: `Parts[${i}].Amount`, Message: message }])
    }
    if (!p) return bad('这笔收款不能开票，请刷新后重新选择')
    if (once.has(key)) return bad('同一笔明细只能选一次')
    once.add(key)
    const why = findPartRefusal(p, x.amount, about, set, dayOfMoment(now))
    if (why) {
      bad(`${p.sourceName} ${p.feeItemName}：${p.open <= 0 && p.invoiced > 0 ? '已被开票，请刷新' : why}`)
    }
    return { p, amount: x.amount, ...defined(goodOf(p, about)) }
  })
  await assertTopUpsAvailable(
    tx,
    scope.ownerId,
    chosen
      .filter(c => c.p.detailId === undefined && !c.p.income)
      .map(c => ({ recordId: c.p.recordId, amount: c.amount })),
  )
  const lines = toInvoiceLines(
    chosen.map(({ good, rate, amount, p }): InvoicePiece => ({
      good,
      rate,
      amount,
      begin: p.beginDate,
      end: p.endDate,
    })),
  )
  const sum = sumLines(lines)
  const over = limitRefusal(sum.totalAmount, set.limitAmount)
  if (over) throw invalidInput([{ Field: 'Parts', Message: over }])
  const replaced =
    w.originalId === undefined ? undefined : (await findByIds(tx, invoiceRecord, scope, [w.originalId]))[0]
  if (
    w.originalId !== undefined &&
    (!replaced ||
      replaced.isRed ||
      replaced.projectCode !== project ||
      (replaced.state !== 'red' && replaced.state !== 'cancelled' && replaced.redAmount === 0))
  )
    throw invalidInput([{ Field: 'OriginalID', Message: '只能重开已红冲或已作废的发票' }])
  const used = list.filter(r => chosen.some(c => c.p.recordId === r.id))
  const names = [...new Set(chosen.map(c => c.p.sourceName))]
  const builds = new Set(used.map(r => r.buildCode))
  const made = await insert(tx, invoiceRecord, scope, {
    projectCode: project,
    serialNo: defined(await tx.one<{ code: string }>(sql`select next_code('FP') as code`)).code,
    ...typeAndMediumOf(w.kind),
    isRed: false,
    title: w.title,
    buyerName: w.title.title,
    buyerTaxNo: w.title.titleType === 'company' ? w.title.taxNo : undefined,
    seller: sellerOf(set),
    payerKind: payer.kind,
    payerId: payer.id,
    payerName: payer.name,
    sourceName: (names.length > 2 ? `${names[0]} 等 ${names.length} 个` : names.join('、')).slice(0, 100),
    buildCode: builds.size === 1 ? [...builds][0] : undefined,
    lines,
    ...sum,
    redAmount: 0,
    recordIds: used.map(r => String(r.id)),
    receiptNos: used
      .map(r => r.receiptNo ?? r.recordNo)
      .join('、')
      .slice(0, 4000),
    channel: set.channel,
    setId: set.id,
    originalId: replaced?.id,
    attempt: 1,
    remark: w.remark,
    operatorId: scope.operatorId,
    operatorName: scope.name,
    state: 'pending',
  })
  const parts = chosen.map(({ p, amount, good, rate }) => ({
    record_id: p.recordId,
    detail_id: p.detailId,
    bill_id: p.billId,
    source_name: p.sourceName,
    fee_item_id: p.feeItemId,
    fee_item_name: p.feeItemName,
    begin_date: p.beginDate,
    end_date: p.endDate,
    good_name: good.goodName,
    tax_rate: rate,
    amount: formatYuan(amount),
  }))
  await tx.execute(sql`
    insert into invoice_part (
      owner_id, create_by, update_by, project_code, invoice_id, record_id, detail_id, bill_id, source_name,
      fee_item_id, fee_item_name, begin_date, end_date, good_name, tax_rate, amount
    )
    select ${scope.ownerId}::bigint, ${scope.operatorId}::bigint, ${scope.operatorId}::bigint,
      ${project}::text, ${made.id}::bigint, r.*
    from json_to_recordset(${JSON.stringify(parts)}::json) as r(
      record_id bigint, detail_id integer, bill_id integer, source_name text, fee_item_id bigint,
      fee_item_name text, begin_date date, end_date date, good_name text, tax_rate numeric, amount numeric
    )
  `)
  await recordInvoicedParts(
    tx,
    scope,
    chosen.map(({ p, amount }) => ({ recordId: p.recordId, detailId: p.detailId, billId: p.billId, amount })),
  )
  await rememberTitle(tx, scope, payer, w.title, now)
  return made
}

/** A top-up is invoiced at most for what has not been paid out of its account again (INV-2). */
async function assertTopUpsAvailable(
  tx: Tx,
  owner: number,
  list: readonly { readonly recordId: number; readonly amount: number }[],
): Promise<void> {
  if (!list.length) return
  const ids = list.map(x => x.recordId)
  const accounts = await tx.rows<{
    id: number
    name: string
    left: string
    records: number[]
  }>(sql`
    select a.id, a.owner_name as name,
      (
        coalesce(sum(e.amount) filter (where e.entry_type in ${codes(entryType, 'topUp', 'refund', 'change')} and not e.gift), 0) - (
          select coalesce(sum(p.amount - p.red_amount), 0)
          from invoice_part p
          join invoice_record i on i.owner_id = p.owner_id and i.id = p.invoice_id
          where p.owner_id = ${owner}
            and p.detail_id is null
            and not i.is_red
            and i.state not in ${codes(invoiceState, 'red', 'cancelled')}
            and p.record_id = any(array_agg(e.record_id))
        )
      )::text as left,
      array_agg(distinct e.record_id) filter (where e.record_id = any(${ids}::int[])) as records
    from prestore_account a
    join prestore_entry e on e.owner_id = a.owner_id and e.account_id = a.id
    where a.owner_id = ${owner}
      and a.id in (
        select account_id
        from prestore_entry
        where owner_id = ${owner} and record_id = any(${ids}::int[]) and amount > 0 and not gift
      )
    group by a.id, a.owner_name
  `)
  for (const a of accounts) {
    const asked = list.filter(x => a.records?.includes(x.recordId)).reduce((n, x) => n + x.amount, 0)
    if (asked > parseYuan(a.left))
      refuse(`${a.name} 的预存已有退款，充值最多还可开 ${formatYuan(Math.max(0, parseYuan(a.left)))} 元`)
  }
}

type WaitingFilter = NonNullable<typeof listWaitingPayments.input.T>
type Sql = RawBuilder<any>
const waitingFilters = ['recordType', 'payMethod', 'payTime', 'payDay', 'buildCode'] as const

export const invoicingHandlers = [
  reads(getInvoiceable, async ({ recordIds }, { db, scope, today }) => {
    const list = await findByIds(db, payRecord, scope, recordIds)
    const set = list[0] && (await findSetting(db, scope.ownerId, list[0].projectCode))
    const { payer, project } = requireOnePayer(list)
    const mode = set?.prestoreMode ?? 'deduct'
    const open = await findInvoiceableParts(
      db,
      scope.ownerId,
      list.map(r => r.id),
      mode,
    )
    const about = await findPartContext(db, scope, list, open)
    const by = new Map(list.map(r => [r.id, r]))
    const titles = await findTitles(db, scope, payer)
    return {
      projectCode: project,
      payerName: payer.name,
      titles: scope.canSeePersonalData ? titles : titles.map(({ mobile: _, ...t }) => t as Title),
      ...(set
        ? {
            setId: set.id,
            companyName: set.companyName,
            channel: set.channel,
            simulated: set.simulated,
            kinds: set.kinds.filter(k => k in invoiceKind.rows && !kindRefusal(k, set)),
            ...(set.limitAmount === undefined ? {} : { limitAmount: set.limitAmount }),
          }
        : { refusal: noSettingText }),
      parts: open.map(p => {
        const r = defined(by.get(p.recordId))
        const why = findPartRefusal(
          p,
          p.open,
          about,
          set ?? { refuseNextYear: true, paidUpOnly: false },
          today,
        )
        const good = goodOf(p, about)
        return {
          recordId: p.recordId,
          detailId: p.detailId,
          recordNo: r.recordNo,
          receiptNo: r.receiptNo,
          payTime: r.payTime,
          sourceName: p.sourceName,
          feeItemName: p.feeItemName,
          beginDate: p.beginDate,
          endDate: p.endDate,
          paid: p.paid,
          refunded: p.refunded,
          invoiced: p.invoiced,
          open: p.open,
          goodName: good?.good.goodName,
          refusal: why,
        }
      }),
    }
  }),
  reads(listWaitingPayments, async ({ feeItem, ...q }: WaitingFilter, { db, scope }) => {
    // Where a project invoices prestore is its own affair, told per record.
    const at = sql`(
      select s.prestore_mode
      from invoice_set s
      where s.owner_id = ${scope.ownerId} and ${live('s')}
      limit 1
    )`
    const where = (own: Readonly<Record<string, unknown>>): Sql =>
      sql.join(
        [
          tenantFilter(payRecord, scope, q.projectCode),
          ...filterConditions(payRecord, own, waitingFilters),
          ...keywordCondition(payRecord, q.keyword),
        ],
        sql` and `,
      )
    const size = Math.min(q.size ?? 10, 2000)
    // A deposit is looked for by the day on which it became income, whenever it had been received.
    const { payDayFrom: from, payDayTo: to, ...rest } = q
    const income = sql`${where(rest)}${from ? sql` and t.income_time >= ${from}::date::timestamp at time zone 'Asia/Shanghai'` : sql``}${to ? sql` and t.income_time < (${to}::date + 1)::timestamp at time zone 'Asia/Shanghai'` : sql``}`
    const found = sql`
      with open as materialized (
        select p.record_id, sum(p.open) as open
        from (${invoiceablePartsQuery(scope.ownerId, where(q), at, income)}) p
        where p.open > 0 ${feeItem ? sql`and p.fee_item_id = ${feeItem}` : sql``}
        group by 1
      )
    `
    const [list, [sum]] = await db.all<[Record<string, unknown>, { total: number; open: string }]>(
      sql`${found}
        select t.*, o.open as open_amount
        from open o
        join pay_record t on t.owner_id = ${scope.ownerId} and t.id = o.record_id
        order by coalesce(t.income_time, t.pay_time) desc, t.id desc
        limit ${size} offset ${((q.page ?? 1) - 1) * size}`,
      sql`${found} select count(*)::int as total, coalesce(sum(open), 0)::text as open from open`,
    )
    return {
      total: defined(sum).total,
      sum: { openAmount: parseYuan(defined(sum).open) },
      rows: list.map(
        r => ({ ...toEntityRow(payRecord, r), openAmount: parseYuan(String(r.openAmount)) }) as never,
      ),
    }
  }),
]
