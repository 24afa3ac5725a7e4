import { formatYuan } from '#kit/domain/money.ts'
import { addMinutes, fromInstant } from '#kit/domain/moment.ts'
import { Refused } from '#kit/contract/wire.ts'
import { sql } from '#kit/server/db.ts'
import { cron, job } from '#kit/server/jobs.ts'
import { systemScope, type Scope } from '#kit/server/scope.ts'
import { need } from '#kit/server/table.ts'
import type { World } from '#kit/server/world.ts'
import { noticeKind, notify } from '#modules/system/server/public.ts'
import { invoiceRecord, type InvoiceRecord } from '../contract/record.ts'
import { cancelNow, redDone } from './back.ts'
import { platformOf } from './desk/accounts.ts'
import type { Issuing, Said } from './desk/platform.ts'
import { isDue } from './due.ts'
import { held, stateCode, step } from './step.ts'

const atOnce = 8
const most = 200
const failed = noticeKind({ key: 'invoices.failed', label: '开票失败', group: 'todo', level: 'important' })
const own = (owner: number, project = ''): Scope => ({ ...systemScope(owner), projectCode: project })
const silent = '平台没有回答，系统会继续询问'

const issuingOf = async (world: World, owner: number, r: InvoiceRecord): Promise<Issuing> => {
  const blue = r.isRed
    ? await need(world.store.reader(owner), invoiceRecord, own(owner), r.originalId!)
    : undefined
  const line = (l: InvoiceRecord['lines'][number]): number =>
    blue!.lines.findIndex(b => b.goodId === l.goodId && b.taxRate === l.taxRate) + 1
  return {
    ...r,
    ...(blue
      ? {
          red: {
            invoiceNo: blue.invoiceNo ?? '',
            reason: r.redReason ?? '',
            whole: r.totalAmount === -blue.totalAmount,
            lines: r.lines.map(line),
          },
        }
      : {}),
  }
}

/**
 * Brings one invoice under way further: asks for it if it may have been sent, sends it if the platform has
 * never heard of it. The sending is written down before it leaves, so whoever comes after a crash asks first.
 * One number, one invoice: an unknown end stays 20 and is asked for again.
 */
export async function bring(world: World, owner: number, id: number): Promise<InvoiceRecord> {
  const db = world.store.reader(owner)
  const r = await need(db, invoiceRecord, own(owner), id)
  if (r.state !== 'doing' || r.channel !== 'platform') return r
  try {
    const p = await platformOf(world, owner, r.setId)
    const known: Said = r.sentTime ? await p.query(r.serialNo) : { state: 'absent' }
    let said = known
    if (known.state === 'absent') {
      const mine = await world.store.tx(owner, tx =>
        tx.run(
          sql`
            update invoice_record
            set sent_time = ${fromInstant(world.clock())}
            where owner_id = ${owner}
              and id = ${id}
              and state = ${stateCode('doing')}
              and serial_no = ${r.serialNo}
          `,
        ),
      )
      if (!mine) return await need(db, invoiceRecord, own(owner), id)
      said = await p.issue(await issuingOf(world, owner, r))
    }
    await apply(world, owner, r, said)
  } catch (err) {
    world.log.warn(
      { err: (err as Error).message, invoice: r.serialNo },
      'the invoice platform does not answer',
    )
    await world.store.tx(owner, tx =>
      tx.run(
        sql`
          update invoice_record
          set fail_reason = ${err instanceof Refused ? err.message.slice(0, 200) : silent},
            update_time = now()
          where owner_id = ${owner} and id = ${id} and state = ${stateCode('doing')}
        `,
      ),
    )
  }
  return need(db, invoiceRecord, own(owner), id)
}

/** What the platform says of a number: taken once, whoever brings the word and however often. */
export async function apply(
  world: World,
  owner: number,
  seen: Pick<InvoiceRecord, 'id' | 'serialNo'>,
  said: Said,
): Promise<void> {
  if (said.state === 'doing' || said.state === 'absent') return
  await world.store.tx(owner, async tx => {
    const r = await held(tx, own(owner), seen.id)
    const scope = own(owner, r.projectCode)
    if (r.state !== 'doing' || r.serialNo !== seen.serialNo) return
    const due =
      (await tx.one(
        sql`select 1 as x from invoice_record where owner_id = ${owner} and id = ${r.id} and run_red_due`,
      )) !== undefined && (await isDue(tx, owner, r))
    const tell = (title: string, text: string): Promise<unknown> =>
      notify(tx, world, owner, {
        kind: failed,
        to: r.operatorId ? [r.operatorId] : [],
        title,
        text,
        bizId: r.id,
        project: r.projectCode,
      })
    if (said.state === 'failed') {
      await step(tx, scope, r, 'failed', { fail_reason: said.why.slice(0, 200), query_time: null }, said.why)
      // Its money went back meanwhile: there is nothing left to be issued.
      if (due) return cancelNow(tx, scope, { ...r, state: 'failed' }, '开具期间收款已退')
      await tell(
        `${r.isRed ? '红冲' : '开票'}失败：${r.buyerName}`,
        `${r.serialNo}，${formatYuan(r.totalAmount)} 元：${said.why}`,
      )
    } else if (said.total !== r.totalAmount) {
      // Never booked: somebody must look. Told once.
      const why = `平台开出的金额 ${formatYuan(said.total)} 元与申请的 ${formatYuan(r.totalAmount)} 元不符，请联系平台核对`
      if (r.failReason === why) return
      await tx.run(
        sql`
          update invoice_record
          set fail_reason = ${why}, version = version + 1, update_time = now()
          where owner_id = ${owner} and id = ${r.id}
        `,
      )
      await tell(`开票金额不符：${r.buyerName}`, `${r.serialNo}：${why}`)
    } else {
      await step(tx, scope, r, 'issued', {
        invoice_no: said.invoiceNo,
        invoice_code: said.invoiceCode ?? null,
        issue_time: said.at,
        fail_reason: null,
        query_time: null,
      })
      if (r.isRed) {
        await redDone(tx, scope, r)
      } else if (due) {
        await step(tx, scope, r, 'redDue', { red_reason: '开具期间收款已退' }, '开具期间收款已退')
      }
    }
    world.live.tellIn(tx, owner, 'all', 'invoice', { id: r.id })
  })
}

interface Due {
  readonly ownerId: number
  readonly id: number
}

async function each<T>(
  list: readonly T[],
  signal: AbortSignal,
  work: (d: T) => Promise<unknown>,
): Promise<void> {
  const rest = [...list]
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let d = rest.shift(); d !== undefined && !signal.aborted; d = rest.shift()) {
        await work(d)
      }
    }),
  )
}

/** Invoices whose result nobody has brought yet: asked for by one process at a time, less and less often. */
export async function tendInvoices(world: World, signal: AbortSignal): Promise<void> {
  const now = fromInstant(world.clock())
  const due = await world.store.tx('*', tx =>
    tx.rows<Due>(sql`
      update invoice_record as x
      set query_time = case
        when coalesce(x.sent_time, x.update_time) > ${addMinutes(now, -10)} then ${addMinutes(now, 1)}::timestamptz
        else ${addMinutes(now, 10)}::timestamptz
        end
      from (
        select owner_id, id
        from invoice_record
        where state = 20 and query_time <= ${now}
        order by query_time
        limit ${most}
        for update skip locked
      ) d
      where x.owner_id = d.owner_id and x.id = d.id
      returning x.owner_id, x.id
    `),
  )
  await each(due, signal, ({ ownerId, id }) =>
    bring(world, ownerId, id).catch(err =>
      world.log.warn({ err: (err as Error).message, invoice: id }, 'an invoice was not brought on'),
    ),
  )
}

export const sendJob = job<{ readonly ids: readonly number[] }>({
  kind: 'invoices.send',
  brief: true,
  run: async ({ ids }, c) => {
    let done = 0
    let bad = 0
    let open = 0
    await each(ids, c.signal, async id => {
      const r = await bring(c.world, c.scope.ownerId, id)
      if (r.state === 'failed') {
        bad++
      } else if (r.state === 'doing') {
        open++
      }
      c.progress(++done, ids.length)
    })
    return {
      success: ids.length - bad,
      fail: bad,
      ...(open ? { message: `${open} 张已提交平台，结果出来后会更新状态` } : {}),
    }
  },
})

export const invoiceCrons = [
  cron({ name: 'invoices-ask', at: '* * * * *', run: tendInvoices }),
  cron({
    name: 'invoices-notices',
    at: '25 4 * * *',
    run: async world => {
      await world.store.tx('*', tx =>
        tx.run(sql`delete from invoice_notice where create_time < now() - interval '2 days'`),
      )
    },
  }),
]
