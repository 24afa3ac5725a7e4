import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Day } from '#kit/domain/day.ts'
import { parseYuan } from '#kit/domain/money.ts'
import { addMinutes, type Moment } from '#kit/domain/moment.ts'
import { refuse, invalidInput } from '#kit/contract/wire.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handler.ts'
import { insert, findPage, findAll, update } from '#kit/server/table.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code, codes, notDeleted } from '#kit/server/sql.ts'
import { handoverState, offsetMethods, orderState, payMethod, recordState } from '../contract/choices.ts'
import { checkDayClose, closeDay, dayClose, listDayCloses, reopenDay } from '../contract/day-close.ts'
import { dayCloseRefusal } from '../domain/day-close.ts'
import { lockDayExclusively } from './day-lock.ts'
import { goesToNextDay } from './settings.ts'
import { publishDayClosing } from './tenders.ts'

interface CloseBlocker {
  readonly blocker: string
  readonly isHandedOver?: boolean
  readonly cashierName?: string
  readonly count: number
}

/** CLO-3: what keeps a day open: handovers not confirmed, orders in 支付中 for more than an hour. */
async function findCloseBlockers(
  db: Db,
  ownerId: Id,
  project: string,
  day: string,
  now: Moment,
): Promise<readonly CloseBlocker[]> {
  const [unconfirmed, paying] = await db.all<
    [{ cashierName?: string; handed: boolean; n: number }, { n: number }]
  >(
    sql`
      select p.cashier_name as cashier_name, p.handover_id is not null as handed, count(*)::int as n
      from pay_record p
      left join cashier_handover h on h.owner_id = ${ownerId} and h.id = p.handover_id
      where p.owner_id = ${ownerId}
        and p.project_code = ${project}
        and p.pay_day = ${day}
        and p.state <> ${code(recordState, 'voided')}
        and ${notDeleted('p')}
        and not p.is_history
        and p.cashier_id is not null
        and exists (
          select 1
          from pay_line l
          where l.owner_id = ${ownerId}
            and l.record_id = p.id
            and l.method not in ${codes(payMethod, ...offsetMethods)}
        )
        and (h.id is null or h.state <> ${code(handoverState, 'confirmed')})
      group by 1, 2
      order by 1, 2
    `,
    sql`
      select count(*)::int as n
      from pay_order
      where owner_id = ${ownerId}
        and project_code = ${project}
        and state = ${code(orderState, 'paying')}
        and create_time < ${addMinutes(now, -60)}
        and ${notDeleted()}
    `,
  )
  return [
    ...unconfirmed.map(each => ({
      blocker: each.handed ? '交账单待确认' : '收款未交账',
      ...(each.cashierName ? { cashierName: each.cashierName } : {}),
      ...(each.handed ? { isHandedOver: true } : {}),
      count: each.n,
    })),
    ...(defined(paying[0]).n ? [{ blocker: '支付中超过一小时的支付单', count: defined(paying[0]).n }] : []),
  ]
}

/**
 * Days before `day` with money that are not closed, oldest first. What is before the first closing of the
 * project is not asked for: closing begins somewhere (CLO-3). Needs pay_record_day.
 */
const findOpenDays = async (db: Db, ownerId: Id, project: string, day: Day): Promise<readonly Day[]> =>
  (
    await db.rows<{ day: Day }>(sql`
      select distinct p.pay_day as day
      from pay_record p
      where p.owner_id = ${ownerId}
        and p.project_code = ${project}
        and p.pay_day < ${day}
        and p.pay_day >= (
          select min(f.day)
          from day_close f
          where f.owner_id = ${ownerId} and f.project_code = ${project} and ${notDeleted('f')}
        )
        and p.state <> ${code(recordState, 'voided')}
        and not p.is_history
        and ${notDeleted('p')}
        and not exists (
          select
          from day_close c
          where c.owner_id = ${ownerId}
            and c.project_code = ${project}
            and c.day = p.pay_day
            and c.closed
            and ${notDeleted('c')}
        )
      order by 1
      limit 31
    `)
  ).map(row => row.day)

const findDayClose = async (db: Db, scope: Scope, project: string, day: string) =>
  (
    await findAll(
      db,
      dayClose,
      scope,
      { projectCode: project, dayFrom: day, dayTo: day },
      {
        filters: ['day'],
        limit: 1,
      },
    )
  )[0]

export const dayCloseHandlers = [
  reads(checkDayClose, async ({ projectCode, day: requestedDay }, { db, scope, today, now }) => {
    const openDays = await findOpenDays(db, scope.ownerId, projectCode, requestedDay ?? today)
    const day = requestedDay ?? openDays[0] ?? today
    const existing = await findDayClose(db, scope, projectCode, day)
    const sum = defined(
      await db.one<{
        n: number
        received: string
        refunded: string
      }>(sql`
      select count(distinct p.id)::int as n,
        coalesce(sum(l.amount) filter (where l.amount > 0), 0)::text as received,
        coalesce(-sum(l.amount) filter (where l.amount < 0), 0)::text as refunded
      from pay_record p
      left join pay_line l on l.owner_id = ${scope.ownerId}
        and l.record_id = p.id
        and l.method not in ${codes(payMethod, ...offsetMethods)}
      where p.owner_id = ${scope.ownerId}
        and p.project_code = ${projectCode}
        and p.pay_day = ${day}
        and p.state <> ${code(recordState, 'voided')}
        and not p.is_history
        and ${notDeleted('p')}
    `),
    )
    return {
      day,
      closed: existing?.closed ?? false,
      openDays: openDays.filter(d => d < day).map(d => ({ day: d })),
      goesToNextDay: await goesToNextDay(db, scope.ownerId, projectCode),
      count: sum.n,
      received: parseYuan(sum.received),
      refunded: parseYuan(sum.refunded),
      blockers: existing?.closed
        ? []
        : [...(await findCloseBlockers(db, scope.ownerId, projectCode, day, now))],
    }
  }),
  writes(closeDay, async ({ projectCode, day, isTodayConfirmed = false }, { tx, scope, today, now }) => {
    if (day > today) throw invalidInput([{ Field: 'Day', Message: '不能日结未来日期' }])
    await lockDayExclusively(tx, scope.ownerId, projectCode, day)
    const existing = await findDayClose(tx, scope, projectCode, day)
    if (existing?.closed) refuse(`${day} 已日结`)
    const blockers = await findCloseBlockers(tx, scope.ownerId, projectCode, day, now)
    if (blockers.length)
      refuse(
        `不能日结：${blockers.map(h => `${h.cashierName ? `${h.cashierName} ` : ''}${h.blocker} ${h.count} 笔`).join('；')}`,
      )
    const refusal = dayCloseRefusal({
      day,
      today,
      openDays: await findOpenDays(tx, scope.ownerId, projectCode, day),
      isTodayConfirmed,
      goesToNextDay: await goesToNextDay(tx, scope.ownerId, projectCode),
    })
    if (refusal) refuse(refusal)
    await publishDayClosing(tx, scope, { projectCode, day })
    const patch = { closeName: scope.name, closeTime: now, closed: true }
    return existing
      ? update(tx, dayClose, scope, existing.id, patch)
      : insert(tx, dayClose, scope, { projectCode, day, ...patch })
  }),
  writes(reopenDay, async ({ projectCode, day, reason }, { tx, scope, now }) => {
    await lockDayExclusively(tx, scope.ownerId, projectCode, day)
    const existing = await findDayClose(tx, scope, projectCode, day)
    if (!existing?.closed) return refuse(`${day} 未日结`)
    return update(
      tx,
      dayClose,
      scope,
      existing.id,
      { closed: false, openName: scope.name, openTime: now, openReason: reason },
      { reason },
    )
  }),
  reads(listDayCloses, (query, { db, scope }) =>
    findPage(db, dayClose, scope, query, { filters: ['day', 'closed'] }),
  ),
]
