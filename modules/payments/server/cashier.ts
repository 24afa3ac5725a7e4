import type { Day } from '#kit/domain/day.ts'
import { addMonths, daysBetween, firstOfMonth } from '#kit/domain/day.ts'
import { parseYuan, type Fen } from '#kit/domain/money.ts'
import { codeOf, keyOf } from '#kit/contract/field.ts'
import { notFound } from '#kit/contract/wire.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handler.ts'
import { maskRows } from '#kit/server/privacy.ts'
import { hasBuilding, hasProject, outOfDomain, type Scope } from '#kit/server/scope.ts'
import { matchesSearchText } from '#kit/server/search-text.ts'
import { live } from '#kit/server/sql.ts'
import { discountBills, payRefusal, payableBills, type PayableBill } from '#modules/bills/server/public.ts'
import { roundOffMode } from '#modules/bills/contract/choices.ts'
import { payerSide, sourceType } from '#modules/fees/contract/choices.ts'
import { roomIdsByKeyword } from '#modules/rooms/server/public.ts'
import { payMethod } from '../contract/choices.ts'
import { discountCashierBills, findPayers, getCashierView } from '../contract/cashier.ts'
import { getPayRules } from './settings.ts'
import { tenderProviderOf } from './tenders.ts'

type SourceType = keyof typeof sourceType.rows
const sourceTypeCode = (t: SourceType): number => codeOf(sourceType, t) as number
const roomType = sourceTypeCode('room')
const parkPlaceType = sourceTypeCode('parkPlace')

interface FoundSource {
  readonly type: number
  readonly code: string
  readonly name: string
  readonly building?: string
  readonly note?: string
  readonly n: number
  readonly unpaid: string
}

/**
 * Rooms by what they are called, who lives or works in them, what was billed or receipted; places, areas and
 * companies that are charged themselves. Each part is served by an index of its own.
 */
async function findSources(db: Db, owner: number, project: string, word: string): Promise<FoundSource[]> {
  const like = `%${word.replace(/[\\%_]/g, c => `\\${c}`)}%`
  const number = word.trim().toUpperCase()
  const numbered = /\d/.test(word)
  const parts = [
    ...(numbered
      ? [
          sql`select r.id from room r where r.owner_id = ${owner} and r.id in (${roomIdsByKeyword(owner, word)})`,
        ]
      : []),
    sql`
      select l.room_id
      from user_room l
      join resident p on p.owner_id = l.owner_id and p.id = l.user_id
      where l.owner_id = ${owner}
        and l.project_code = ${project}
        and ${live('l')}
        and l.status = 20
        and ${live('p')}
        and ${matchesSearchText(word, 'p')}
    `,
    sql`
      select l.room_id
      from company_room l
      join company c on c.owner_id = l.owner_id and c.id = l.company_id
      where l.owner_id = ${owner}
        and l.project_code = ${project}
        and ${live('l')}
        and ${live('c')}
        and ${matchesSearchText(word, 'c')}
    `,
    ...(numbered
      ? [
          sql`
            select r.id
            from park_place k
            join room r on r.owner_id = k.owner_id
              and r.project_code = k.project_code
              and r.code = k.room_code
              and ${live('r')}
            where k.owner_id = ${owner}
              and k.project_code = ${project}
              and ${live('k')}
              and k.place_no ilike ${like} escape '\\'
          `,
          sql`
            select r.id
            from bill b
            join room r on r.owner_id = b.owner_id
              and r.project_code = b.project_code
              and r.code = b.source_code
              and ${live('r')}
            where b.owner_id = ${owner} and b.bill_no = ${number} and b.source_type = ${roomType}
          `,
          sql`
            select r.id
            from pay_record p
            join pay_detail d on d.owner_id = p.owner_id and d.record_id = p.id
            join room r on r.owner_id = p.owner_id
              and r.project_code = p.project_code
              and r.code = d.source_code
              and ${live('r')}
            where p.owner_id = ${owner}
              and p.project_code = ${project}
              and (p.receipt_no = ${number} or p.record_no = ${number})
              and d.source_type = ${roomType}
          `,
        ]
      : []),
  ]
  const themselves = [
    sql`(
      select ${parkPlaceType}::int as type, k.code, k.place_no as name, null::text as building, '车位' as note,
        k.sort_key as at
      from park_place k
      where k.owner_id = ${owner}
        and k.project_code = ${project}
        and ${live('k')}
        and k.room_code is null
        and k.place_no ilike ${like} escape '\\'
      limit 20
    )`,
    sql`(
      select ${sourceTypeCode('company')}::int, c.company_no, c.name, null::text, '公司', c.name
      from company c
      where c.owner_id = ${owner}
        and c.project_code = ${project}
        and ${live('c')}
        and c.company_no is not null
        and ${matchesSearchText(word, 'c')}
      limit 20
    )`,
    sql`(
      select ${sourceTypeCode('publicArea')}::int, a.code, a.name, a.build_code, '公共区域', a.code
      from public_area a
      where a.owner_id = ${owner}
        and a.project_code = ${project}
        and ${live('a')}
        and a.name ilike ${like} escape '\\'
      limit 20
    )`,
    ...(numbered
      ? [
          sql`(
            select b.source_type::int, b.source_code, b.source_name, b.build_code, null::text, b.source_name
            from bill b
            where b.owner_id = ${owner}
              and b.project_code = ${project}
              and b.bill_no = ${number}
              and b.source_type <> ${roomType}
          )`,
          sql`(
            select d.source_type::int, d.source_code, d.source_name, p.build_code, null::text, d.source_name
            from pay_record p
            join pay_detail d on d.owner_id = p.owner_id and d.record_id = p.id
            where p.owner_id = ${owner}
              and p.project_code = ${project}
              and (p.receipt_no = ${number} or p.record_no = ${number})
              and d.source_type <> ${roomType}
            limit 20
          )`,
        ]
      : []),
  ]
  return db.rows<FoundSource>(sql`
    with found as materialized (
      select ${roomType}::int as type, r.code, r.path as name, r.build_code as building,
        coalesce(r.payer_name, r.main_owner_name) as note, r.sort_key as at
      from room r
      where r.owner_id = ${owner}
        and r.project_code = ${project}
        and ${live('r')}
        and r.id = any(array(${sql.join(parts, sql` union `)}))
      limit 200
    ),
      others as (${sql.join(themselves, sql` union all `)}),
      once as (select distinct on (type, code) * from others order by type, code, note nulls last),
      all_found as (select * from found union all select * from once)
    select f.type, f.code, f.name, f.building, f.note, coalesce(b.n, 0)::int as n,
      coalesce(b.unpaid, 0)::text as unpaid
    from all_found f
    left join lateral (
      select count(*) as n, sum(b.unpaid) as unpaid
      from bill b
      where b.owner_id = ${owner}
        and b.project_code = ${project}
        and b.source_type = f.type
        and b.source_code = f.code
        and ${live('b')}
        and b.state = 20
        and b.pay_state = 0
    ) b on true
    order by (b.n > 0) desc, f.type, f.at collate "C"
    limit 20
  `)
}

interface SourceSummary {
  readonly id?: number
  readonly name: string
  readonly building?: string
  readonly area?: string
  readonly payerKind?: number
  readonly payerId?: number
  readonly payerName?: string
  readonly mobile?: string
  readonly relation?: string
}

async function findSourceSummary(
  db: Db,
  owner: number,
  project: string,
  type: SourceType,
  code: string,
): Promise<SourceSummary | undefined> {
  if (type === 'room')
    return db.one<SourceSummary>(sql`
      select r.id, r.path as name, r.build_code as building,
        trim_scale(coalesce(r.charge_area, r.build_area))::text as area,
        case when r.payer_kind = 30 then 2 when r.payer_id is not null then 1 end as payer_kind,
        coalesce(case when r.payer_kind = 30 then r.company_id end, r.payer_id)::int as payer_id,
        r.payer_name, coalesce(p.mobile, c.contact_phone) as mobile,
        case r.payer_kind when 10 then '业主' when 20 then '租户' when 30 then '公司' end as relation
      from room r
      left join resident p on p.owner_id = r.owner_id and p.id = r.payer_id and r.payer_kind <> 30
      left join company c on c.owner_id = r.owner_id and c.id = r.company_id and r.payer_kind = 30
      where r.owner_id = ${owner} and r.project_code = ${project} and r.code = ${code} and ${live('r')}
    `)
  if (type === 'company')
    return db.one<SourceSummary>(
      sql`
        select name, 2 as payer_kind, id as payer_id, name as payer_name, contact_phone as mobile,
          '公司' as relation
        from company
        where owner_id = ${owner} and project_code = ${project} and company_no = ${code} and ${live()}
      `,
    )
  return (
    (await db.one<SourceSummary>(
      sql`
        select b.source_name as name, b.build_code as building, b.payer_kind::int, b.payer_id, b.payer_name,
          b.payer_mobile as mobile
        from bill b
        where b.owner_id = ${owner}
          and b.project_code = ${project}
          and b.source_type = ${sourceTypeCode(type)}
          and b.source_code = ${code}
          and ${live('b')}
        order by b.id desc
        limit 1
      `,
    )) ??
    (type === 'parkPlace'
      ? db.one<SourceSummary>(
          sql`
            select place_no as name
            from park_place
            where owner_id = ${owner} and project_code = ${project} and code = ${code} and ${live()}
          `,
        )
      : type === 'publicArea'
        ? db.one<SourceSummary>(
            sql`
              select name, build_code as building
              from public_area
              where owner_id = ${owner} and project_code = ${project} and code = ${code} and ${live()}
            `,
          )
        : undefined)
  )
}

/**
 * Ticked when they begin in this month or earlier: what is due now, not what is billed ahead (precedents 3).
 */
const isTickedByDefault = (begin: Day, today: Day): boolean => begin < addMonths(firstOfMonth(today), 1)

const toCashierBill = (s: PayableBill, today: Day, now: string) => ({
  billId: s.row.id,
  billNo: s.row.billNo,
  feeItemName: s.row.feeItemName,
  beginDate: s.row.beginDate,
  endDate: s.row.endDate,
  dueDate: s.row.dueDate,
  overdueDays: Math.max(0, daysBetween(s.row.dueDate, today)),
  receivable: s.row.receivable,
  principal: s.owed.principal,
  late: s.owed.late,
  total: s.owed.principal + s.owed.late,
  ticked: isTickedByDefault(s.row.beginDate, today) && payRefusal(s.row, now) === undefined,
  refusal: payRefusal(s.row, now),
})

const groupBySource = (list: readonly PayableBill[], today: Day, now: string) =>
  [...Map.groupBy(list, s => `${s.row.sourceType}/${s.row.sourceCode}`).values()]
    .map(mine => ({
      sourceType: mine[0]!.row.sourceType,
      sourceCode: mine[0]!.row.sourceCode,
      sourceName: mine[0]!.row.sourceName,
      bills: mine.map(s => toCashierBill(s, today, now)),
    }))
    .sort((a, b) => Number(b.sourceType === 'room') - Number(a.sourceType === 'room'))

const isInDomain = (scope: Scope, project: string, building: string | undefined): boolean =>
  building ? hasBuilding(scope.domain, project, building) : hasProject(scope.domain, project)

export const cashierHandlers = [
  writes(discountCashierBills, (said, { tx, scope, today, now }) =>
    discountBills(tx, { scope, today, now }, said),
  ),
  reads(findPayers, async ({ projectCode, keyword }, { db, scope }) => {
    if (!hasProject(scope.domain, projectCode)) throw outOfDomain()
    const list = await findSources(db, scope.ownerId, projectCode, keyword)
    return list
      .filter(f => isInDomain(scope, projectCode, f.building))
      .map(f => ({
        sourceType: keyOf(sourceType, f.type)!,
        sourceCode: f.code,
        sourceName: f.name,
        ...(f.note ? { note: f.note } : {}),
        count: f.n,
        unpaid: parseYuan(f.unpaid),
      }))
  }),
  reads(getCashierView, async ({ projectCode, sourceType: type, sourceCode }, { db, scope, today, now }) => {
    if (!hasProject(scope.domain, projectCode)) throw outOfDomain()
    const owner = scope.ownerId
    const head = await findSourceSummary(db, owner, projectCode, type, sourceCode)
    if (!head) throw notFound()
    if (!isInDomain(scope, projectCode, head.building)) throw outOfDomain()
    const sources = sql`(
      b.source_type = ${sourceTypeCode(type)} and b.source_code = ${sourceCode}
    )${
      type === 'room'
        ? sql` or (
      b.source_type = ${parkPlaceType}
      and b.source_code in (
        select k.code
        from park_place k
        where k.owner_id = ${owner}
          and k.project_code = ${projectCode}
          and k.room_code = ${sourceCode}
          and ${live('k')}
      )
    )`
        : sql``
    }`
    const open = sql`b.owner_id = ${owner}
      and b.project_code = ${projectCode}
      and ${live('b')}
      and b.state = 20
      and b.pay_state = 0`
    const [ids, others, last] = await db.all<
      [
        { id: number; promise?: Day },
        { type: number; code: string; name: string; n: number; unpaid: string },
        { id: number; time: string; amount: string; method: number },
      ]
    >(
      sql`
        select b.id, b.promise_date as promise
        from bill b
        where ${open} and (${sources})
        order by b.id
        limit 500
      `,
      sql`
        select b.source_type::int as type, b.source_code as code, b.source_name as name, count(*)::int as n,
          sum(b.unpaid)::text as unpaid
        from bill b
        where ${open}
          and b.payer_id = ${head.payerId ?? -1}
          and b.payer_kind = ${head.payerKind ?? -1}
          and not (${sources})
        group by 1, 2, 3
        order by 3
        limit 20
      `,
      sql`
        select p.id, p.pay_time as time, p.received_amount::text as amount, p.pay_method::int as method
        from pay_record p
        where p.owner_id = ${owner}
          and p.state <> 40
          and p.record_type = 10
          and p.id = (
            select max(d.record_id)
            from pay_detail d
            join bill b on b.owner_id = d.owner_id and b.id = d.bill_id
            where d.owner_id = ${owner}
              and d.principal > 0
              and b.project_code = ${projectCode}
              and (${sources})
          )
      `,
    )
    const list = await payableBills(
      db,
      scope,
      ids.map(i => i.id),
      today,
    )
    const rules = await getPayRules(db, owner, projectCode)
    const payerKind = head.payerKind === undefined ? undefined : keyOf(payerSide, head.payerKind)
    const purse = tenderProviderOf('prestore')
    const found = groupBySource(list, today, now)
    const payer = { kind: payerKind, id: head.payerId, name: head.payerName }
    const purses: readonly { itemId: number; name: string; amount: Fen }[] = purse
      ? await purse.balances(db, scope, {
          projectCode,
          payer,
          sources: [
            { sourceType: type, sourceCode },
            ...found.map(g => ({ sourceType: g.sourceType, sourceCode: g.sourceCode })),
          ],
        })
      : []
    const [card] = maskRows(getCashierView.output.fields, [{ payerMobile: head.mobile }], scope) as [
      { payerMobile?: string },
    ]
    const promised = ids
      .flatMap(i => i.promise ?? [])
      .filter(p => p >= today)
      .sort()[0]
    return {
      sourceType: type,
      sourceCode,
      sourceName: head.name,
      roomId: type === 'room' ? head.id : undefined,
      area: head.area,
      payerKind,
      payerId: head.payerId,
      payerName: head.payerName,
      payerMobile: card.payerMobile,
      relation: head.relation,
      groups: found,
      others: others.map(o => ({
        sourceType: keyOf(sourceType, o.type)!,
        sourceCode: o.code,
        sourceName: o.name,
        count: o.n,
        unpaid: parseYuan(o.unpaid),
      })),
      purses,
      ...(last[0]
        ? {
            lastPayTime: last[0].time,
            lastPayAmount: parseYuan(last[0].amount),
            lastPayMethod: keyOf(payMethod, last[0].method)!,
            lastRecordId: last[0].id,
          }
        : {}),
      ...(promised ? { promise: promised } : {}),
      roundOff: codeOf(roundOffMode, rules.roundOff) as number,
      allowPartial: rules.allowPartial,
    }
  }),
]
