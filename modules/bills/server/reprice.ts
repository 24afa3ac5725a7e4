import { labelOf } from '#kit/contract/field.ts'
import { parseYuan } from '#kit/domain/money.ts'
import { sql, type Db, type RawBuilder, type Tx } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { findByIds, requireById, findAll, tenantFilter } from '#kit/server/table.ts'
import { live, codes, code } from '#kit/server/sql.ts'
import { skipReason, cycleType } from '#modules/fees/contract/choices.ts'
import { feeStandard } from '#modules/fees/contract/standard.ts'
import {
  needsRoomTotals,
  loadChargeableStandards,
  chargingStart,
  computePeriodBills,
  computeReadingBill,
  toPlannedLine,
  registerOutdatedBillCounter,
  findRelationsByIds,
  explainAmount,
  sourceKey,
  loadSources,
  loadRoomTotals,
} from '#modules/fees/server/public.ts'
import { findUnbilledReadings } from '#modules/meters/server/public.ts'
import { bill, type Bill } from '../contract/bill.ts'
import { runKind, runState, payState } from '../contract/choices.ts'
import { repriceBills, repriceLimit, listRepriceable } from '../contract/reprice.ts'
import { stateChange, refusalOf, type ActionFacts } from '../domain/actions.ts'
import { runAction, type BulkResult } from './action-runner.ts'
import { lockBills, selectionCondition } from './bill-query.ts'
import { releaseLinks, restoreLinks } from './bill-links.ts'
import type { BillDraft } from './issue.ts'
import type { PlannedBill } from './run-plan.ts'
import { toBillDraft } from './bill-draft.ts'
import { toBill } from './stored-bill.ts'
import { issueBatch } from './issue-batch.ts'
import { activeStates } from './bill-states.ts'

/**
 * Unpaid bills of a standard for whose days another price holds than they were made by (FEE-6); a reading's
 * last day, a single fee's first one decides. Prices that were promised to whoever paid ahead stay (TMP-3).
 * Needs bill_standard.
 */
export const outdatedCondition = (
  owner: number,
  standard: RawBuilder<any>,
): RawBuilder<any> => sql`t.standard_id = ${standard}
  and t.state in ${activeStates}
  and t.pay_state = ${code(payState, 'unpaid')}
  and not t.is_pre
  and t.relation_id is not null
  and t.ref_type is distinct from 'pool'
  and t.calc_snapshot is not null
  and exists (
    select 1
    from fee_standard_version v
    join fee_standard s on s.owner_id = ${owner} and s.id = v.standard_id
    where v.owner_id = ${owner}
      and v.standard_id = t.standard_id
      and ${live('v')}
      and v.effective_date <= case
        when s.cycle_type = ${code(cycleType, 'once')} and t.ref_id is null then t.begin_date
        else t.end_date
        end
      and (
        v.end_date is null or v.end_date >= case when t.ref_id is null then t.begin_date else t.end_date end
      )
      and not exists (
        select 1
        from jsonb_array_elements(t.calc_snapshot -> 'parts') p
        where (p ->> 'version')::bigint = v.id
      )
  )`

registerOutdatedBillCounter(
  async (db, owner, standardId) =>
    (await db.one<{ n: number }>(
      sql`
        select count(*)::int as n
        from (
          select 1
          from bill t
          where t.owner_id = ${owner} and ${live('t')} and ${outdatedCondition(owner, sql`${standardId}`)}
          limit 100000
        ) x
      `,
    ))!.n,
)

/** What one bill would be made anew: its drafts, or why not in words. */
type RepriceDraft = { readonly drafts: readonly Omit<BillDraft, 'billNo'>[] } | { readonly why: string }

/**
 * The same periods and readings reckoned by today's prices; reads a few times however many bills there are.
 */
async function draftReplacements(
  db: Db,
  owner: number,
  bills: readonly Bill[],
  today: string,
): Promise<ReadonlyMap<number, RepriceDraft>> {
  const out = new Map<number, RepriceDraft>()
  for (const [project, mine] of Map.groupBy(bills, b => b.projectCode)) {
    const [bounds, standards] = await Promise.all([
      findRelationsByIds(
        db,
        owner,
        mine.flatMap(b => b.relationId ?? []),
      ),
      loadChargeableStandards(db, owner, { ids: [...new Set(mine.flatMap(b => b.standardId ?? []))] }),
    ])
    const relationById = new Map(bounds.map(b => [b.relation.id, b]))
    const readingBills = mine.filter(b => b.refType === 'reading')
    const last = readingBills.reduce((d, b) => (b.endDate > d ? b.endDate : d), '0001-01-01')
    const sources = await loadSources(
      db,
      owner,
      project,
      bounds,
      today,
      needsRoomTotals(standards.values()) ? await loadRoomTotals(db, owner, project) : undefined,
    )
    const waiting = readingBills.length
      ? await findUnbilledReadings(
          db,
          { ownerId: owner },
          {
            meterIds: readingBills.flatMap(b => relationById.get(b.relationId!)?.meterId ?? []),
            until: last,
            without: readingBills.map(b => b.id),
          },
        )
      : undefined
    for (const b of mine) {
      const bound = relationById.get(b.relationId!)
      const charged = standards.get(b.standardId!)
      const located = bound && sources.get(sourceKey(bound))
      if (!bound || !charged) {
        out.set(b.id, { why: '收费关联或收费标准已删除，请改用作废' })
        continue
      }
      if (!located) {
        out.set(b.id, { why: '收费对象已删除，请改用作废' })
        continue
      }
      const { prepared: p } = charged
      const reading =
        b.refType === 'reading' ? waiting?.get(bound.meterId ?? 0)?.find(r => r.id === b.refId) : undefined
      if (b.refType === 'reading' && !reading) {
        out.set(b.id, { why: '抄表读数已删除或已换表，请改用作废后重新出账' })
        continue
      }
      const start =
        chargingStart(
          p.standard.startRule,
          bound.relation.begin,
          p.standard.versions[0]?.from,
          located.source.dates,
        ) ?? b.beginDate
      const computed = reading
        ? computeReadingBill(p, bound.relation, located.source, reading)
        : computePeriodBills(p, bound.relation, located.source, { begin: b.beginDate, end: b.endDate }, start)
      if (!computed.drawn) {
        out.set(b.id, {
          why: `按新价格不能出账：${computed.skipped.detail ?? labelOf(skipReason, computed.skipped.reason)}`,
        })
        continue
      }
      // The debt is as old as it was: only its amount changes.
      out.set(b.id, {
        drafts: computed.drawn.map(d => ({
          ...toBillDraft(
            {
              bound,
              charged,
              located,
              line: toPlannedLine(p.standard, bound.relation.id, d, today, reading?.id),
              reading,
            } satisfies PlannedBill,
            '',
          ),
          dueDate: b.dueDate,
          replaces: b.id,
          ...(b.remark ? { remark: b.remark } : {}),
        })),
      })
    }
  }
  return out
}

const sumDrafts = (a: RepriceDraft | undefined): number =>
  a && 'drafts' in a ? a.drafts.reduce((n, d) => n + d.amount, 0) : 0

const repriceFacts = (b: Bill, a: RepriceDraft | undefined): Omit<ActionFacts, 'now'> => ({
  part: b.parentId !== undefined,
  same: a !== undefined && 'drafts' in a && a.drafts.length === 1 && a.drafts[0]!.amount === b.amount,
})

/**
 * Writes the bills that come in the stead of others of one estate and state; answers their ids and numbers in
 * order.
 */
export type WriteReplacements = (
  like: Bill,
  drafts: readonly Omit<BillDraft, 'billNo'>[],
  replaced: number,
) => Promise<{ readonly ids: readonly number[]; readonly nos: readonly string[] }>

async function writeReplacements(
  tx: Tx,
  scope: Scope,
  rowsNow: readonly Bill[],
  drafts: ReadonlyMap<number, RepriceDraft>,
  write: WriteReplacements,
): Promise<{ made: number; amount: number }> {
  let made = 0
  let amount = 0
  for (const [, some] of Map.groupBy(rowsNow, b => `${b.projectCode} ${b.state}`)) {
    const all = some.flatMap(b => {
      const a = drafts.get(b.id)
      return a && 'drafts' in a ? a.drafts : []
    })
    const { ids, nos } = await write(some[0]!, all, some.length)
    made += all.length
    amount += all.reduce((n, d) => n + d.amount, 0)
    await tx.execute(
      sql`
        update bill n
        set disputed = o.disputed, promise_date = o.promise_date, urge_count = o.urge_count,
          last_urge_time = o.last_urge_time
        from bill o
        where n.owner_id = ${scope.ownerId}
          and n.id = any(${[...ids]})
          and o.owner_id = ${scope.ownerId}
          and o.id = n.replaces_bill_id
          and (o.disputed or o.promise_date is not null or o.urge_count > 0)
      `,
    )
    await restoreLinks(
      tx,
      scope,
      all.map((d, i) => ({
        id: ids[i]!,
        billNo: nos[i]!,
        relationId: d.relationId,
        refType: d.reading && 'reading',
        refId: d.reading?.id,
      })),
    )
  }
  return { made, amount }
}

/**
 * Bills abolished and made anew in the caller's transaction; which may not, and why. Asked for bills that are
 * done already, it does nothing.
 */
export async function replaceBills(
  tx: Tx,
  {
    scope,
    now,
    today,
    reason,
  }: { readonly scope: Scope; readonly now: string; readonly today: string; readonly reason: string },
  ids: readonly number[],
  write: WriteReplacements,
): Promise<BulkResult & { made: number; before: number; amount: number }> {
  // Relations first, as whoever generates takes them; then the bills.
  const requested = await findByIds(tx, bill, scope, ids)
  await findRelationsByIds(
    tx,
    scope.ownerId,
    requested.flatMap(b => b.relationId ?? []),
    true,
  )
  const found = await lockBills(tx, scope, selectionCondition(scope, { ids: ids.map(String) }))
  const foundIds = new Set(found.map(b => b.id))
  const outdated = new Set(
    (
      await tx.rows<{ id: number }>(
        sql`
          select t.id
          from bill t
          where t.owner_id = ${scope.ownerId}
            and t.id = any(${found.map(b => b.id)})
            and ${outdatedCondition(scope.ownerId, sql`t.standard_id`)}
        `,
      )
    ).map(r => r.id),
  )
  const drafts = await draftReplacements(
    tx,
    scope.ownerId,
    found.filter(b => outdated.has(b.id)),
    today,
  )
  let done = { made: 0, amount: 0 }
  let before = 0
  const result = await runAction(
    tx,
    scope,
    found,
    {
      action: 'reprice',
      now,
      today,
      reason,
      facts: b => repriceFacts(b, drafts.get(b.id)),
      decide: b => {
        const a = drafts.get(b.id)
        return a === undefined
          ? '账单用的就是现行价格，不需要重新生成'
          : 'why' in a
            ? a.why
            : { change: { ...stateChange('reprice'), lockedUntil: undefined } }
      },
      extraColumns: [
        sql`abolish_time = ${now}::timestamptz`,
        sql`abolish_by = ${scope.operatorId}`,
        sql`abolish_reason = ${reason}`,
      ],
      afterWrite: async changed => {
        before = changed.reduce((n, b) => n + b.amount, 0)
        await releaseLinks(tx, scope, changed)
        done = await writeReplacements(tx, scope, changed, drafts, write)
      },
    },
    ids.filter(id => !foundIds.has(id)),
  )
  return { ...result, ...done, before }
}

/** The batch in which a standard's bills are being made anew just now. */
export const findRunningReprice = async (
  db: Db,
  owner: number,
  standardId: number,
): Promise<number | undefined> =>
  (
    await db.one<{ id: number }>(
      sql`
        select id
        from bill_run
        where owner_id = ${owner}
          and kind = ${code(runKind, 'repriced')}
          and state in ${codes(runState, 'waiting', 'running')}
          and ${live()}
          and scope -> 'standardIds' ->> 0 = ${String(standardId)}
        order by id desc
        limit 1
      `,
    )
  )?.id

/** 1-1-202 before 1-1-1104. */
const compareNaturally = new Intl.Collator('zh', { numeric: true }).compare

export const repriceHandlers = [
  reads(listRepriceable, async ({ standardId }, { db, scope, today, now }) => {
    const s = await requireById(db, feeStandard, scope, standardId)
    const where = sql`${tenantFilter(bill, scope)} and ${outdatedCondition(scope.ownerId, sql`${standardId}`)}`
    const [n, busy, found] = await Promise.all([
      db.one<{ n: number; amount: string }>(
        sql`select count(*)::int as n, coalesce(sum(t.amount), 0)::text as amount from bill t where ${where}`,
      ),
      findRunningReprice(db, scope.ownerId, standardId),
      findAll(
        db,
        bill,
        scope,
        { order: 'sourceName,beginDate,id' },
        {
          where: [outdatedCondition(scope.ownerId, sql`${standardId}`)],
          limit: repriceLimit,
          keys: Object.keys(bill.fields).filter(k => !['calcSnapshot', 'overdueDays', 'paying'].includes(k)),
        },
      ),
    ])
    const drafts = await draftReplacements(db, scope.ownerId, found, today)
    return {
      standardName: s.name,
      itemName: s.feeItemName ?? '',
      projectCode: s.projectCode,
      count: n!.n,
      more: n!.n > found.length,
      amount: parseYuan(n!.amount)!,
      ...(busy ? { runId: busy } : {}),
      rows: found
        .toSorted(
          (a, b) => compareNaturally(a.sourceName, b.sourceName) || (a.beginDate < b.beginDate ? -1 : 1),
        )
        .map(b => {
          const a = drafts.get(b.id)
          const refusal =
            refusalOf('reprice', toBill(b), { now, ...repriceFacts(b, a) }) ??
            (a && 'why' in a ? a.why : undefined)
          const next = a && 'drafts' in a ? sumDrafts(a) : undefined
          return {
            id: b.id,
            billNo: b.billNo,
            sourceName: b.sourceName,
            ...(b.payerName ? { payerName: b.payerName } : {}),
            beginDate: b.beginDate,
            endDate: b.endDate,
            dueDate: b.dueDate,
            state: b.state,
            overdue: b.dueDate < today,
            amount: b.amount,
            ...(next === undefined
              ? {}
              : {
                  next,
                  change: next - b.amount,
                  parts: (a as { drafts: readonly unknown[] }).drafts.length,
                  sentence: (a as { drafts: readonly BillDraft[] }).drafts
                    .map(d => explainAmount(d.snapshot!))
                    .join('；'),
                }),
            ...(refusal ? { reason: refusal } : {}),
          }
        }),
    }
  }),
  writes(repriceBills, async ({ ids, reason }, { tx, scope, today, now }) => {
    const batchNos: string[] = []
    const result = await replaceBills(
      tx,
      { scope, now, today, reason },
      ids.map(Number),
      async (like, drafts, replaced) => {
        const filed = await issueBatch(
          tx,
          scope,
          { project: like.projectCode, source: 'auto', state: like.state as 'pending' | 'normal' },
          'repriced',
          drafts,
          today,
          { message: `调价后重新生成，替换 ${replaced} 张：${reason}`.slice(0, 500) },
        )
        batchNos.push(filed.batchNo)
        return { ids: filed.ids.map(Number), nos: filed.nos }
      },
    )
    return { ...result, batchNos }
  }),
]
