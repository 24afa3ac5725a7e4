import { codeOf } from '#kit/contract/field.ts'
import { refuse } from '#kit/contract/wire.ts'
import { addDays, type Day } from '#kit/domain/day.ts'
import { sql, type Db, type RawBuilder } from '#kit/server/db.ts'
import { maskRows } from '#kit/server/privacy.ts'
import { unrestrictedDomain, type Scope } from '#kit/server/scope.ts'
import { matchesSearchText } from '#kit/server/search-text.ts'
import { filterConditions, findAll, tenantFilter, type TableQuery } from '#kit/server/table.ts'
import { live, code } from '#kit/server/sql.ts'
import { sourceType, payerSide } from '#modules/fees/contract/choices.ts'
import { roomIdsByKeyword } from '#modules/rooms/server/public.ts'
import { bill, type Bill } from '../contract/bill.ts'
import { billState, payState } from '../contract/choices.ts'
import { billFilters, type BillFilter } from '../contract/list.ts'
import { overdueDays } from '../domain/late-fee.ts'

type Sql = RawBuilder<any>
const containsPattern = (s: string): string => `%${s.replace(/[\\%_]/g, c => `\\${c}`)}%`

/** Codes as literals: a partial index serves only a condition that the planner can read. */
const codeCondition = (column: string, codes: readonly (string | number)[]): Sql =>
  sql`t.${sql.raw(column)} ${codes.length === 1 ? sql`= ${sql.raw(String(codes[0]))}` : sql`in (${sql.raw(codes.join(', '))})`}`

/** `1-1-102`: a room's path. Squeezed to 11102 it would be part of many a telephone. */
const isRoomPath = (keyword: string): boolean =>
  /^\d{1,3}(-\w{1,5}){1,3}$/.test(keyword.trim()) && keyword.replace(/\D/g, '').length < 9

/**
 * Bills that somebody means by a room, payer, telephone, plate, company or number, as an array of ids: each
 * part is served by an index of its own. A bill has no text to search, which would cost every generated row
 * an entry in a trigram index.
 */
export function billKeywordCondition(owner: number, keyword: string, project?: string): Sql {
  const from = sql`select b.id from bill b`
  const own = sql`b.owner_id = ${owner}
    and ${live('b')} ${project ? sql`and b.project_code = ${project}` : sql``}`
  const parts: Sql[] = isRoomPath(keyword)
    ? []
    : [
        sql`${from}
          join resident p on p.owner_id = ${owner} and p.id = b.payer_id
          where ${own} and b.payer_kind = ${code(payerSide, 'resident')} and ${live('p')} and ${matchesSearchText(keyword, 'p')}`,
        sql`${from}
          join company c on c.owner_id = ${owner} and c.id = b.payer_id
          where ${own} and b.payer_kind = ${code(payerSide, 'company')} and ${live('c')} and ${matchesSearchText(keyword, 'c')}`,
      ]
  parts.push(
    sql`${from}
      where ${own}
        and b.source_type <> ${code(sourceType, 'room')}
        and b.source_name ilike ${containsPattern(keyword)} escape '\\'`,
  )
  if (/\d/.test(keyword)) {
    parts.push(
      sql`${from}
        join room r on r.owner_id = ${owner}
          and r.project_code = b.project_code
          and r.code = b.source_code
        where ${own} and b.source_type = ${code(sourceType, 'room')} and r.id in (${roomIdsByKeyword(owner, keyword)})`,
    )
    parts.push(sql`${from} where ${own} and b.bill_no = ${keyword.trim().toUpperCase()}`)
    parts.push(sql`${from} where ${own} and b.payer_id is null and b.payer_mobile = ${keyword.trim()}`)
  }
  return sql`t.id = any(array(${sql.join(parts, sql` union all `)}))`
}

/**
 * What a search says beyond ranges and choices; the same for list, totals, export, print and deeds by search
 * (BILL-13).
 */
export function billFilterConditions(owner: number, q: BillFilter, today: Day, now: string): Sql[] {
  const state = q.state?.length ? q.state : q.anyState ? [] : (['normal'] as const)
  const open = sql`t.state = ${code(billState, 'normal')} and t.pay_state = ${code(payState, 'unpaid')}`
  return [
    ...(state.length
      ? [
          codeCondition(
            'state',
            state.map(s => codeOf(billState, s)),
          ),
        ]
      : []),
    ...(q.payState?.length
      ? [
          codeCondition(
            'pay_state',
            q.payState.map(s => codeOf(payState, s)),
          ),
        ]
      : []),
    ...(q.sourceCode === undefined ? [] : [sql`t.source_code = ${q.sourceCode}`]),
    ...(q.payerId === undefined
      ? []
      : [
          sql`t.payer_id = ${q.payerId} and t.payer_kind = ${codeOf(payerSide, q.payerKind === 'company' ? 'company' : 'resident')}`,
        ]),
    ...(q.overdue === undefined
      ? []
      : [q.overdue ? sql`${open} and t.due_date < ${today}` : sql`not (${open} and t.due_date < ${today})`]),
    ...(q.overdueDaysFrom === undefined
      ? []
      : [sql`${open} and t.due_date <= ${addDays(today, -q.overdueDaysFrom)}`]),
    ...(q.overdueDaysTo === undefined
      ? []
      : [sql`${open} and t.due_date >= ${addDays(today, -q.overdueDaysTo)} and t.due_date < ${today}`]),
    ...(q.partly === undefined
      ? []
      : [
          q.partly
            ? sql`t.pay_state = ${code(payState, 'unpaid')} and t.paid_principal > 0`
            : sql`t.paid_principal = 0`,
        ]),
    ...(q.locked === undefined
      ? []
      : [
          q.locked
            ? sql`t.lock_until > ${now}::timestamptz`
            : sql`(t.lock_until is null or t.lock_until <= ${now}::timestamptz)`,
        ]),
    ...(q.discounted === undefined
      ? []
      : [q.discounted ? sql`t.discount_amount > 0` : sql`t.discount_amount = 0`]),
    ...(q.keyword ? [billKeywordCondition(owner, q.keyword, q.projectCode)] : []),
  ]
}

const columnFilters = billFilters.filter(k => k !== 'state' && k !== 'payState')

const customFilterKeys = [
  'state',
  'payState',
  'sourceCode',
  'payerKind',
  'payerId',
  'overdue',
  'overdueDaysFrom',
  'overdueDaysTo',
  'partly',
  'locked',
  'discounted',
  'anyState',
  'keyword',
] as const

/**
 * The question to `page`, `rows` and exports. Paid bills stand by the day of payment, others by due day
 * (BILL-14).
 */
export function billQuery(
  owner: number,
  q: BillFilter,
  today: Day,
  now: string,
): {
  readonly q: TableQuery
  readonly find: { readonly filters: readonly string[]; readonly where: readonly Sql[] }
} {
  const rest = Object.fromEntries(
    Object.entries(q).filter(([k]) => !(customFilterKeys as readonly string[]).includes(k)),
  ) as TableQuery
  const order =
    q.order ??
    (q.payState?.length === 1 && q.payState[0] === 'paid'
      ? '-payTime'
      : q.state?.length === 1 && q.state[0] === 'abolished'
        ? '-abolishTime'
        : 'dueDate')
  return {
    q: { ...rest, order },
    find: { filters: columnFilters, where: billFilterConditions(owner, q, today, now) },
  }
}

/** The whole condition of a filter, for statements of our own over `bill t`. */
export function billCondition(scope: Scope, q: BillFilter, today: Day, now: string): Sql {
  const query = billQuery(scope.ownerId, q, today, now)
  return sql.join(
    [
      tenantFilter(bill, scope, q.projectCode),
      ...filterConditions(bill, query.q, columnFilters),
      ...query.find.where,
    ],
    sql` and `,
  )
}

/**
 * Whether a search narrows anything; turning pages, choosing the estate and saying of what sort a payer is
 * that is not named do not (BILL-1).
 */
export const isNarrowed = (q: BillFilter): boolean =>
  Object.entries(q).some(
    ([k, v]) =>
      !['page', 'size', 'order', 'projectCode', 'anyState', 'payerKind'].includes(k) &&
      v !== undefined &&
      v !== '' &&
      !(Array.isArray(v) && !v.length),
  )

/**
 * Rows with what stands beside them: days overdue, whether a payment is under way; people's data as the
 * caller may see it.
 */
export const presentBills = (list: readonly Bill[], scope: Scope, today: Day, now: string): readonly Bill[] =>
  maskRows(
    bill.fields,
    list.map(b => ({
      ...b,
      paying: b.lockUntil !== undefined && b.lockUntil > now,
      ...(b.state === 'normal' && b.payState === 'unpaid'
        ? { overdueDays: overdueDays(b.dueDate, today) }
        : {}),
    })),
    scope,
  )

/** What deeds look at: all but the snapshot, which is wide. */
const actionColumns = Object.keys(bill.fields).filter(
  k => !['calcSnapshot', 'overdueDays', 'paying'].includes(k),
)

export interface BillSelection {
  readonly sourceType?: Bill['sourceType'] | undefined
  readonly sourceCodes?: readonly string[] | undefined
  readonly feeItemId?: number | undefined
  readonly ids?: readonly string[] | undefined
}

/** As many as one deed acts on. */
export const maxBillsPerAction = 200_000

/**
 * Relations before bills, both by id, as whoever generates takes them: for deeds after which a relation is
 * billed to another day. Who takes them the other way round meets the generator, the end of a charge or
 * another such deed in a ring.
 */
export const lockRelations = (tx: Db, owner: number, condition: Sql): Promise<unknown> =>
  tx.rows(
    sql`
      select 1
      from fee_relation r
      where r.owner_id = ${owner} and r.id in (select t.relation_id from bill t where ${condition})
      order by r.id
      for no key update of r
    `,
  )

/**
 * Locks the bills of a condition in the order of their ids, and reads them as they are then. At most `limit`.
 * Whoever acts on them asks `assertInDomain`. `relations`: with what they were charged by.
 */
export async function lockBills(
  db: Db,
  scope: Scope,
  condition: Sql,
  {
    limit = maxBillsPerAction,
    relations = false,
  }: { readonly limit?: number; readonly relations?: boolean } = {},
): Promise<Bill[]> {
  if (relations) {
    await lockRelations(db, scope.ownerId, condition)
  }
  const ids = (
    await db.rows<{ id: number }>(
      sql`select t.id from bill t where ${condition} order by t.id for update of t`,
    )
  ).map(r => r.id)
  if (ids.length > limit) return refuse(`一次最多处理 ${limit} 张账单，现有 ${ids.length} 张，请缩小筛选范围`)
  return ids.length
    ? findAll(
        db,
        bill,
        { ...scope, domain: unrestrictedDomain },
        { order: 'id' },
        { where: [sql`t.id = any(${ids})`], keys: actionColumns, limit: ids.length },
      )
    : []
}

/** The open bills of objects, or bills by id (2§3); refuses what names none. */
export function selectionCondition(scope: Scope, selection: BillSelection): Sql {
  if (selection.ids?.length)
    return sql`t.owner_id = ${scope.ownerId} and ${live('t')} and t.id = any(${selection.ids.map(Number)})`
  if (!selection.sourceCodes?.length || !selection.sourceType)
    return refuse('请选择账单，或指定对象类型与对象')
  return sql`${tenantFilter(bill, scope, scope.projectCode || undefined)}
    and t.source_type = ${codeOf(sourceType, selection.sourceType)}
    and t.source_code = any(${[...selection.sourceCodes]})
    and t.state = ${code(billState, 'normal')}
    and t.pay_state = ${code(payState, 'unpaid')} ${selection.feeItemId ? sql`and t.fee_item_id = ${selection.feeItemId}` : sql``}`
}
