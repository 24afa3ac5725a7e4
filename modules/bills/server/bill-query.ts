import type { Id } from '#kit/domain/id.ts'
import { codeOf, keysOf } from '#kit/contract/field.ts'
import { addDays, type Day } from '#kit/domain/day.ts'
import { hasAddressNumber, canNamePlaces, splitAddress } from '#kit/domain/address.ts'
import type { Moment } from '#kit/domain/moment.ts'
import { sql, type RawBuilder } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { matchesSearchText } from '#kit/server/search-text.ts'
import { contains, filterConditions, type TableQuery, tenantFilter } from '#kit/server/table.ts'
import { notDeleted, code } from '#kit/server/sql.ts'
import { feeType, payerSide, sourceType } from '#modules/fees/contract/choices.ts'
import { roomIdsByKeyword } from '#modules/rooms/server/public.ts'
import { bill, type Bill } from '../contract/bill.ts'
import { billState, payState } from '../contract/choices.ts'
import { billFilters, type BillFilter } from '../contract/list.ts'
import { overdueDays } from '../domain/late-fee.ts'
import { receiptSources } from './receipt-sources.ts'

type Sql = RawBuilder<unknown>

/** Codes as literals, so that partial indexes match. */
const codeCondition = (column: string, codes: readonly (string | number)[]): Sql =>
  sql`t.${sql.raw(column)} ${codes.length === 1 ? sql`= ${sql.raw(String(codes[0]))}` : sql`in (${sql.raw(codes.join(', '))})`}`

/** `1-1-102`, `12 1501` name a room. Put together, 11102 would match many phone numbers. */
const isRoomPath = (keyword: string): boolean => {
  const parts = splitAddress(keyword).parts.map(({ texts }) => texts[0])
  return /^\d{1,3}(-\w{1,5}){1,3}$/.test(parts.join('-')) && parts.join('').replace(/\D/g, '').length < 9
}

/**
 * Bills found by a keyword: a room, payer, phone, plate, company or bill number. The parts are collected as
 * an array of ids so that each uses an index of its own; a search text on every bill would cost each
 * generated bill an entry in a trigram index.
 */
export function billKeywordCondition(
  ownerId: Id,
  typed: string,
  project?: string,
  extraSearches: readonly Sql[] = [],
): Sql {
  const keyword = typed.normalize('NFKC').trim()
  const from = sql`select b.id from bill b`
  const scopeCondition = sql`b.owner_id = ${ownerId}
    and ${notDeleted('b')} ${project ? sql`and b.project_code = ${project}` : sql``}`
  const parts: Sql[] = isRoomPath(keyword)
    ? [...extraSearches]
    : [
        ...extraSearches,
        sql`${from}
          join resident p on p.owner_id = ${ownerId} and p.id = b.payer_id
          where ${scopeCondition}
            and b.payer_kind = ${code(payerSide, 'resident')}
            and ${notDeleted('p')}
            and ${matchesSearchText(keyword, 'p')}`,
        sql`${from}
          join company c on c.owner_id = ${ownerId} and c.id = b.payer_id
          where ${scopeCondition}
            and b.payer_kind = ${code(payerSide, 'company')}
            and ${notDeleted('c')}
            and ${matchesSearchText(keyword, 'c')}`,
      ]
  parts.push(
    sql`${from}
      where ${scopeCondition}
        and b.source_type <> ${code(sourceType, 'room')}
        and ${contains(sql`b.source_name`, keyword)}`,
  )
  if (canNamePlaces(keyword)) {
    parts.push(
      sql`${from}
        join room r on r.owner_id = ${ownerId} and r.project_code = b.project_code and r.code = b.source_code
        where ${scopeCondition}
          and b.source_type = ${code(sourceType, 'room')}
          and r.id in (${roomIdsByKeyword(ownerId, keyword)})`,
    )
  }
  if (hasAddressNumber(keyword)) {
    parts.push(sql`${from} where ${scopeCondition} and b.bill_no = ${keyword.toUpperCase()}`)
    parts.push(sql`${from} where ${scopeCondition} and b.payer_id is null and b.payer_mobile = ${keyword}`)
  }
  return sql`t.id = any(array(${sql.join(parts, sql` union all `)}))`
}

/** Bills of the object whose code this is, whatever it is: by whole codes, in every project. */
const billsOfSourceCode = (ownerId: Id, sourceCode: string, project?: string): Sql =>
  sql`
    select b.id
    from bill b
    where b.owner_id = ${ownerId}
      and b.project_code = any(
        array(
          select e.project_code
          from estate e
          where e.owner_id = ${ownerId} ${project ? sql`and e.project_code = ${project}` : sql``}
        )
      )
      and b.source_type = any(${keysOf(sourceType).map(k => codeOf(sourceType, k))}::int[])
      and b.source_code = ${sourceCode}
      and ${notDeleted('b')}
  `

/**
 * Bills that the cashier may mean (BILL-11): by keyword, by the object's code, and those of the objects of a
 * receipt, which is itself about bills that are paid.
 */
export function cashierKeywordCondition(ownerId: Id, keyword: string, project?: string): Sql {
  const word = keyword.normalize('NFKC').trim()
  const ofReceipts = receiptSources(ownerId, word.toUpperCase(), project).map(
    sources => sql`
      select b.id
      from (${sources}) s
      join bill b on b.owner_id = ${ownerId}
        and b.project_code = s.project_code
        and b.source_type = s.source_type
        and b.source_code = s.source_code
        and ${notDeleted('b')}
    `,
  )
  return billKeywordCondition(ownerId, keyword, project, [
    billsOfSourceCode(ownerId, word, project),
    ...(/\d/.test(word) ? ofReceipts : []),
  ])
}

/**
 * Conditions of a filter beyond ranges and choices. List, totals, export, printing and actions by filter all
 * use them (BILL-13).
 */
export function billFilterConditions(ownerId: Id, query: BillFilter, today: Day, now: Moment): Sql[] {
  const state = query.state?.length ? query.state : query.anyState ? [] : (['normal'] as const)
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
    ...(query.payState?.length
      ? [
          codeCondition(
            'pay_state',
            query.payState.map(s => codeOf(payState, s)),
          ),
        ]
      : []),
    ...(query.sourceCode === undefined ? [] : [sql`t.source_code = ${query.sourceCode}`]),
    ...(query.payerId === undefined ? [] : [sql`t.payer_id = ${query.payerId}`]),
    // The numbers of residents and of companies are their own each.
    ...(query.payerId === undefined && query.payerKind === undefined
      ? []
      : [sql`t.payer_kind = ${codeOf(payerSide, query.payerKind === 'company' ? 'company' : 'resident')}`]),
    ...(query.overdue === undefined
      ? []
      : [
          query.overdue
            ? sql`${open} and t.due_date < ${today}`
            : sql`not (${open} and t.due_date < ${today})`,
        ]),
    ...(query.overdueDaysFrom === undefined
      ? []
      : [sql`${open} and t.due_date <= ${addDays(today, -query.overdueDaysFrom)}`]),
    ...(query.overdueDaysTo === undefined
      ? []
      : [sql`${open} and t.due_date >= ${addDays(today, -query.overdueDaysTo)} and t.due_date < ${today}`]),
    ...(query.isPartlyPaid === undefined
      ? []
      : [
          query.isPartlyPaid
            ? sql`t.pay_state = ${code(payState, 'unpaid')} and t.paid_principal > 0`
            : sql`t.paid_principal = 0`,
        ]),
    ...(query.locked === undefined
      ? []
      : [
          query.locked
            ? sql`t.lock_until > ${now}::timestamptz`
            : sql`(t.lock_until is null or t.lock_until <= ${now}::timestamptz)`,
        ]),
    ...(query.discounted === undefined
      ? []
      : [query.discounted ? sql`t.discount_amount > 0` : sql`t.discount_amount = 0`]),
    ...(query.feesOnly ? [sql`t.fee_type <> ${code(feeType, 'deposit')}`] : []),
    ...(query.keyword ? [billKeywordCondition(ownerId, query.keyword, query.projectCode)] : []),
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
  'isPartlyPaid',
  'locked',
  'discounted',
  'feesOnly',
  'anyState',
  'keyword',
] as const

/**
 * A filter as a query for lists and exports. Paid bills are ordered by the time of payment, abolished ones by
 * the time of abolishing, others by due date (BILL-14).
 */
export function billQuery(
  ownerId: Id,
  query: BillFilter,
  today: Day,
  now: Moment,
): {
  readonly q: TableQuery
  readonly find: { readonly filters: readonly string[]; readonly where: readonly Sql[] }
} {
  const columnFilterValues = Object.fromEntries(
    Object.entries(query).filter(([k]) => !(customFilterKeys as readonly string[]).includes(k)),
  ) as TableQuery
  const order =
    query.order ??
    (query.payState?.length === 1 && query.payState[0] === 'paid'
      ? '-payTime'
      : query.state?.length === 1 && query.state[0] === 'abolished'
        ? '-abolishTime'
        : 'dueDate')
  return {
    q: { ...columnFilterValues, order },
    find: { filters: columnFilters, where: billFilterConditions(ownerId, query, today, now) },
  }
}

/** The complete condition of a filter, for own statements over `bill t`. */
export function billCondition(scope: Scope, filter: BillFilter, today: Day, now: Moment): Sql {
  const query = billQuery(scope.ownerId, filter, today, now)
  return sql.join(
    [
      tenantFilter(bill, scope, filter.projectCode),
      ...filterConditions(bill, query.q, columnFilters),
      ...query.find.where,
    ],
    sql` and `,
  )
}

/**
 * Whether a filter restricts anything. Paging, sorting, the project, and the kind of a payer who is not named
 * do not count (BILL-1).
 */
export const isNarrowed = (query: BillFilter): boolean =>
  Object.entries(query).some(
    ([k, v]) =>
      !['page', 'size', 'order', 'projectCode', 'anyState', 'payerKind'].includes(k) &&
      v !== undefined &&
      v !== '' &&
      !(Array.isArray(v) && !v.length),
  )

/** Adds the days overdue and whether a payment is in progress. */
export const presentBills = (list: readonly Bill[], today: Day, now: Moment): readonly Bill[] =>
  list.map(item => ({
    ...item,
    paying: item.lockUntil !== undefined && item.lockUntil > now,
    ...(item.state === 'normal' && item.payState === 'unpaid'
      ? { overdueDays: overdueDays(item.dueDate, today) }
      : {}),
  }))
