import { addDays } from '#kit/domain/day.ts'
import { formatYuan } from '#kit/domain/money.ts'
import { dayOfMoment, fromInstant } from '#kit/domain/moment.ts'
import { sql } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handler.ts'
import { defineCron, defineJob } from '#kit/server/jobs.ts'
import { mask, maskRows } from '#kit/server/privacy.ts'
import { systemScope } from '#kit/server/scope.ts'
import { smsOf, WechatFault, wechatOf } from '#modules/accounts/server/public.ts'
import { findByIds, findPage, findAll, update, requireById } from '#kit/server/table.ts'
import type { App } from '#kit/server/app.ts'
import { live, touch } from '#kit/server/sql.ts'
import { refuse, staleVersion } from '#kit/contract/wire.ts'
import { getSettingValue } from '#modules/estates/server/public.ts'
import { bill } from '../contract/bill.ts'
import { feeNotice, type FeeNotice } from '../contract/notice.ts'
import { listNotices, recordNoticeResult, noticeFilters, resendNotices } from '../contract/reminder.ts'
import { quietHoursEnd } from '../domain/reminder.ts'
import { computeLateFees } from './late-fee.ts'
import { buildReminder, createReminders, judgeReminders } from './reminder.ts'
import { autoReminderSetting, findReminderRules } from './reminder-settings.ts'

const refusedPattern = /REJECT|BLACK|UNSUBSCRIBE/i
const invalidNumberPattern = /MOBILE_NUMBER_ILLEGAL|NUMBER_ILLEGAL/i
type SendOutcome = Pick<FeeNotice, 'state'> & { readonly failReason?: string }

/** 40003: nobody by that name; 43004, 43101: he left off following, or refuses. */
const wechatOutcomes: Readonly<Record<number, SendOutcome>> = {
  40003: { state: 'noContact', failReason: '微信绑定已失效，请住户重新绑定' },
  43004: { state: 'refused', failReason: '用户已取消关注公众号' },
  43101: { state: 'refused', failReason: '用户拒收消息' },
}

interface OutgoingNotice extends Pick<
  FeeNotice,
  'payerMobile' | 'content' | 'sourceName' | 'billCount' | 'totalAmount'
> {
  readonly wechat: boolean
  readonly openId?: string
}

interface ClaimedNotice {
  readonly id: number
  readonly projectCode: string
  readonly payerMobile?: string
  readonly sourceName: string
  readonly billIds: readonly string[]
  readonly wechat: boolean
  readonly openId?: string
}

async function sendWechat(app: App, n: OutgoingNotice): Promise<SendOutcome> {
  if (!n.openId) return { state: 'noContact', failReason: '住户没有绑定微信，或已解除绑定' }
  try {
    await (
      await wechatOf(app)
    ).sendTemplate(n.openId, 'fee_demand', {
      first: '缴费提醒',
      keyword1: n.sourceName,
      keyword2: `${formatYuan(n.totalAmount)} 元`,
      keyword3: `${n.billCount} 笔`,
      remark: n.content,
    })
    return { state: 'sent' }
  } catch (e) {
    return (
      (e instanceof WechatFault && wechatOutcomes[e.errcode]) || {
        state: 'failed',
        failReason: (e as Error).message.slice(0, 100),
      }
    )
  }
}

async function sendNotice(app: App, n: OutgoingNotice): Promise<SendOutcome> {
  if (n.wechat) return sendWechat(app, n)
  try {
    await (await smsOf(app)).send(n.payerMobile ?? '', 'fee_demand', { content: n.content })
    return { state: 'sent' }
  } catch (e) {
    const said = (e as Error).message.replace(/^SMS gateway: /, '')
    return invalidNumberPattern.test(said)
      ? { state: 'noContact', failReason: '手机号不正确' }
      : refusedPattern.test(said)
        ? { state: 'refused', failReason: '用户已退订或拒收' }
        : { state: 'failed', failReason: said.slice(0, 100) }
  }
}

/**
 * Sends what is queued, a few at a time: claimed first, so that no message goes out twice; one whose sender
 * died stays 发送中 and is told as failed later. It asks for what is still owed when it goes out, on that day
 * and in that day's words (URG-3): what was paid, abolished or disputed meanwhile is left out.
 */
export async function sendQueuedNotices(
  app: App,
  owner: number,
  ids: readonly number[] | undefined,
  signal?: AbortSignal,
): Promise<{ sent: number; failed: number }> {
  let sent = 0
  let failed = 0
  let last = 0
  for (;;) {
    signal?.throwIfAborted()
    const now = fromInstant(app.clock())
    const today = dayOfMoment(now)
    const db = app.database.reader(owner)
    const at = last
    const taken = await app.database.tx(owner, tx =>
      tx.rows<ClaimedNotice>(sql`
        update fee_notice n
        set state = 20, update_time = now()
        where n.owner_id = ${owner}
          and n.id in (
            select q.id
            from fee_notice q
            where q.owner_id = ${owner}
              and q.state = 10
              and ${live('q')}
              and q.id > ${at} ${ids ? sql`and q.id = any(${[...ids]})` : sql``}
            order by q.id
            limit 50
            for update skip locked
          )
        returning n.id,
          n.project_code,
          n.payer_mobile,
          n.source_name,
          n.bill_ids,
          n.channel = 20 as wechat,
          (
            select r.run_wechat
            from resident r
            where r.owner_id = n.owner_id and r.id = n.payer_id and n.payer_kind = 1 and ${live('r')}
          ) as open_id
      `),
    )
    if (!taken.length) return { sent, failed }
    last = Math.max(...taken.map(n => n.id))
    const rulesAt = await findReminderRules(
      db,
      owner,
      taken.map(n => n.projectCode),
    )
    const bills = (
      await findByIds(
        db,
        bill,
        systemScope(owner),
        taken.flatMap(n => n.billIds),
      )
    ).filter(b => b.state === 'normal' && b.payState === 'unpaid' && !b.disputed)
    const by = new Map(bills.map(b => [b.id, b]))
    const late = await computeLateFees(db, owner, bills, today)
    const ends: (SendOutcome & { id: number; said?: Partial<FeeNotice> })[] = []
    for (const n of taken) {
      const rules = rulesAt.get(n.projectCode)!
      const mine = n.billIds.flatMap(id => by.get(Number(id)) ?? [])
      if (quietHoursEnd(now, rules) > now) {
        ends.push({ id: n.id, state: 'queued' })
        continue
      }
      if (!mine.length) {
        ends.push({ id: n.id, state: 'failed', failReason: '账单已缴清、作废或有争议，没有发送' })
        failed++
        continue
      }
      const d = buildReminder(mine, late, today, rules)
      const end = await sendNotice(app, {
        ...n,
        content: d.text,
        totalAmount: d.total,
        billCount: mine.length,
      })
      ends.push({
        id: n.id,
        ...end,
        said: { content: d.text, totalAmount: d.total, level: d.level, billIds: mine.map(b => String(b.id)) },
      })
      if (end.state === 'sent') {
        sent++
      } else {
        failed++
      }
    }
    const code = { sent: 30, failed: 40, noContact: 50, refused: 60, queued: 10, sending: 20 }
    await app.database.tx(owner, tx =>
      tx.execute(sql`
        update fee_notice n
        set state = r.state, fail_reason = r.why,
          send_time = case when r.state = 30 then ${now}::timestamptz end, update_time = now(),
          version = n.version + 1, content = coalesce(r.content, n.content),
          total_amount = coalesce(r.total, n.total_amount), level = coalesce(r.level, n.level),
          bill_ids = coalesce(r.bills, n.bill_ids),
          bill_count = coalesce(cardinality(r.bills), n.bill_count)
        from json_to_recordset(
          ${JSON.stringify(ends.map(e => ({ id: e.id, state: code[e.state], why: e.failReason, ...(e.said ? { content: e.said.content, total: formatYuan(e.said.totalAmount!), level: e.said.level, bills: e.said.billIds } : {}) })))}::json
        ) as r(id bigint, state smallint, why text, content text, total numeric, level smallint, bills text[])
        where n.owner_id = ${owner} and n.id = r.id
      `),
    )
  }
}

export const sendNoticesJob = defineJob<{ ids: number[] }>({
  kind: 'bills.urge',
  type: 50,
  run: async ({ ids }, c) => {
    const { sent, failed } = await sendQueuedNotices(c.app, c.scope.ownerId, ids, c.signal)
    return {
      success: sent,
      fail: failed,
      message: `发送成功 ${sent} 条${failed ? `，失败 ${failed} 条` : ''}`,
    }
  },
})

/** What waited for the end of the quiet hours; senders that died half-way are told as failed. */
export const sendNoticesCron = defineCron({
  name: 'bills-urge',
  schedule: '*/10 * * * *',
  run: async (app, signal) => {
    await app.database.tx('*', tx =>
      tx.execute(
        sql`
          update fee_notice
          set state = 40, fail_reason = '发送中断，请核对后重发', update_time = now()
          where state = 20 and ${live()} and update_time < now() - interval '10 minutes'
        `,
      ),
    )
    for (const { owner } of await app.database
      .reader('*')
      .rows<{ owner: number }>(
        sql`select distinct owner_id as owner from fee_notice where state = 10 and ${live()}`,
      )) {
      await sendQueuedNotices(app, owner, undefined, signal)
    }
  },
})

/**
 * Queues the reminders of a day for one estate (URG-5): D − 3, D, D + 1, then the first day of each level.
 */
export async function queueDailyReminders(
  app: App,
  owner: number,
  project: string,
  now: string,
): Promise<number> {
  const db = app.database.reader(owner)
  const rules = (await findReminderRules(db, owner, [project])).get(project)!
  const today = dayOfMoment(now)
  const days = [...new Set([...rules.remind, ...rules.levels])].map(n => addDays(today, -n))
  const scope = systemScope(owner)
  const due = await findAll(
    db,
    bill,
    scope,
    { projectCode: project, order: 'id' },
    { where: [sql`t.state = 20 and t.pay_state = 0 and t.due_date = any(${days}::date[])`], limit: 200_000 },
  )
  let queued = 0
  for (let i = 0; i < due.length; i += 5000) {
    queued += await app.database.tx(owner, async tx => {
      const fresh = await findByIds(
        tx,
        bill,
        scope,
        due.slice(i, i + 5000).map(b => b.id),
        true,
      )
      const good = (await judgeReminders(tx, scope, fresh, 'sms', now, 'auto')).filter(
        j => j.no === undefined,
      )
      return good.length ? (await createReminders(tx, scope, good, 'sms', now)).ids.length : 0
    })
  }
  return queued
}

export const dailyReminderCron = defineCron({
  name: 'bills-remind',
  schedule: '0 9 * * *',
  run: async (app, signal) => {
    for (const { owner, project } of await app.database.reader('*').rows<{ owner: number; project: string }>(
      sql`
          select owner_id as owner, project_code as project
          from estate_setting
          where key = ${autoReminderSetting.key} and value = '1'
        `,
    )) {
      signal.throwIfAborted()
      if ((await getSettingValue(app.database.reader(owner), owner, project, autoReminderSetting)) === '1') {
        await queueDailyReminders(app, owner, project, fromInstant(app.clock()))
      }
    }
  },
})

export const noticeHandlers = [
  reads(listNotices, async ({ sourceCode, ...q }, { db, scope }) => {
    const found = await findPage(db, feeNotice, scope, q, {
      filters: noticeFilters,
      sums: ['totalAmount'],
      where: sourceCode === undefined ? [] : [sql`t.source_code = ${sourceCode}`],
    })
    return { ...found, rows: maskRows(feeNotice.fields, found.rows, scope) }
  }),
  writes(
    recordNoticeResult,
    async ({ id, version, promiseDate, clearPromise, remark, clearRemark }, { tx, scope, today }) => {
      if (promiseDate !== undefined && promiseDate < today) return refuse('承诺缴费日不能早于今天')
      const n = await requireById(tx, feeNotice, scope, id, true)
      if (version !== undefined && version !== n.version) throw staleVersion()
      const after = await update(tx, feeNotice, scope, id, {
        ...(promiseDate ? { promiseDate } : clearPromise ? { promiseDate: undefined } : {}),
        ...(remark !== undefined ? { remark } : clearRemark ? { remark: undefined } : {}),
      })
      // Taken back only where it is still this promise that the bills bear.
      if (promiseDate ?? (clearPromise && n.promiseDate)) {
        await tx.execute(
          sql`
            update bill
            set promise_date = ${promiseDate ?? null}::date, ${touch(scope)}
            where owner_id = ${scope.ownerId}
              and id = any(${n.billIds.map(Number)})
              and state = 20
              and pay_state = 0
              and ${live()} ${promiseDate ? sql`` : sql`and promise_date = ${n.promiseDate ?? null}::date`}
          `,
        )
      }
      return mask(feeNotice.fields, after, scope)
    },
  ),
  writes(resendNotices, async ({ ids }, { tx, scope, app }) => {
    const found = await findByIds(tx, feeNotice, scope, ids, true)
    const good = found.filter(n => n.state === 'failed')
    const have = new Set(found.map(n => n.id))
    await tx.execute(
      sql`
        update fee_notice
        set state = 10, fail_reason = null, ${touch(scope)}
        where owner_id = ${scope.ownerId} and id = any(${good.map(n => n.id)})
      `,
    )
    if (good.length) {
      await app.jobs.start(tx, scope, 'bills.urge', `重发催缴 ${good.length} 条`, {
        ids: good.map(n => n.id),
      })
    }
    const rest = [
      ...found
        .filter(n => n.state !== 'failed')
        .map(n => ({ id: n.id, code: n.sourceName, reason: '只有发送失败的可以重发' })),
      ...ids
        .map(Number)
        .filter(id => !have.has(id))
        .map(id => ({ id, reason: '通知不存在或已被删除' })),
    ]
    return { success: good.length, fail: 0, skipped: rest.length, rows: rest }
  }),
]
