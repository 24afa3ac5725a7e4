import type { Call } from '#kit/contract/call.ts'
import { refuse } from '#kit/contract/wire.ts'
import { dayOfMoment, fromInstant } from '#kit/domain/moment.ts'
import { parseYuan } from '#kit/domain/money.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { writes, type Handler } from '#kit/server/handle.ts'
import { job, type Running } from '#kit/server/jobs.ts'
import { auditSearch, discountSearch, lateFeeSearch } from '../contract/actions.ts'
import type { Bill } from '../contract/bill.ts'
import type { BillAsk } from '../contract/list.ts'
import { urgeSearch } from '../contract/urge.ts'
import { searchRefusal } from '../domain/actions.ts'
import { listed, type Answer } from './act.ts'
import { audited, noneOf, type Deed } from './actions.ts'
import {
  adjustLate,
  discountOf,
  discountRows,
  lateFixes,
  type Discounting,
  type LateFixing,
} from './change.ts'
import { billCondition, locked, meantCondition, mostBills, narrows } from './find.ts'
import { sendQueued } from './notice.ts'
import { alsoRefused, byReason, refusedFile, type Refusals } from './refusals.ts'
import { collided } from './run-work.ts'
import { atOnce } from './search-act.ts'
import { sendsNow, urgeRows, urgeable, urgedWords, type Urging } from './urge.ts'

/** One part done: what was skipped, and the messages that go out after it. */
interface Part extends Answer {
  readonly notices?: readonly number[]
  readonly sends?: readonly number[]
  readonly waits?: string | undefined
}

interface Over<S> {
  readonly of: Call<any, any>
  readonly kind: string
  readonly verb: string
  /** What the caller says beside the filter. */
  readonly says: readonly string[]
  /** Refuses what no bill could be done by, before anything is begun. */
  readonly check?: (said: S, today: string) => void
  readonly run: (tx: Tx, d: Deed, said: S, rows: readonly Bill[], absent: readonly number[]) => Promise<Part>
  /** Bills of one payer are one part's, of so many or more; otherwise parts are cut anywhere. */
  readonly byPayer?: true
  readonly size: number
}

const over = <S>(o: Over<S>): Over<any> => o

const urging = async (
  tx: Tx,
  { scope, now, most }: Deed,
  said: Urging,
  rows: readonly Bill[],
  absent: readonly number[],
): Promise<Part> => {
  const { made, skipped } = await urgeRows(tx, scope, rows, absent, said, now)
  return {
    success: made.bills,
    fail: 0,
    skipped: skipped.length,
    rows: skipped.slice(0, most ?? listed),
    notices: made.ids,
    sends: sendsNow(made, said.channel) ? made.ids : [],
    waits: made.waits,
  }
}

/** Deeds that go over all that a filter finds (BILL-1), each bill judged by itself (BILL-2). */
const deeds: readonly Over<any>[] = [
  over<Discounting>({
    of: discountSearch,
    kind: 'bills.discount',
    verb: '减免',
    says: ['kind', 'amount', 'percent', 'reason'],
    size: 2000,
    check: said => void discountOf(said),
    run: discountRows,
  }),
  over<LateFixing>({
    of: lateFeeSearch,
    kind: 'bills.lateFee',
    verb: '调整违约金',
    says: ['kind', 'amount', 'reason'],
    size: 2000,
    check: lateFixes,
    run: adjustLate,
  }),
  over<object>({
    of: auditSearch,
    kind: 'bills.audit',
    verb: '审核',
    says: [],
    size: 2000,
    run: (tx, d, _, rows, absent) => audited(tx, d, rows, absent),
  }),
  over<Urging>({
    of: urgeSearch,
    kind: 'bills.urgeSearch',
    verb: '催缴',
    says: ['channel', 'promiseDate', 'remark'],
    size: 500,
    byPayer: true,
    check: urgeable,
    run: urging,
  }),
]

interface Asked {
  readonly parts: readonly (readonly number[])[]
  readonly said: object
}

interface SoFar {
  readonly at: number
  readonly success: number
  readonly notices: number
  readonly waits?: string | undefined
  readonly refused: Refusals
}

/**
 * The bills of a filter while they still are what was seen, cut into parts: the task does these and no
 * others.
 */
async function partsOf(
  tx: Tx,
  o: Over<any>,
  { scope, today, now }: Deed,
  filter: BillAsk,
  seen: { readonly count: number; readonly sum: number },
): Promise<number[][]> {
  const payer = sql`concat_ws(
    '/', t.project_code, t.payer_kind, coalesce(t.payer_id::text, t.source_type || ' ' || t.source_code)
  )`
  const found = await tx.rows<{ id: number; receivable: string; payer: string }>(
    sql`
      select t.id, t.receivable::text, ${o.byPayer ? payer : sql`''`} as payer
      from bill t
      where ${billCondition(scope, filter, today, now)}
      order by payer, t.id
    `,
  )
  const no = searchRefusal(false, seen, {
    count: found.length,
    sum: found.reduce((n, r) => n + parseYuan(r.receivable), 0),
  })
  if (no) return refuse(no)
  if (found.length > mostBills)
    return refuse(`一次最多处理 ${mostBills} 张账单，现有 ${found.length} 张，请缩小筛选范围`)
  const parts: number[][] = []
  found.forEach((r, i) => {
    const last = parts.at(-1)
    if (!last || (last.length >= o.size && !(o.byPayer && found[i - 1]!.payer === r.payer))) {
      parts.push([r.id])
    } else {
      last.push(r.id)
    }
  })
  return parts
}

const words = (o: Over<any>, said: object, notices: number, waits: string | undefined): string =>
  o.of === urgeSearch ? `；${urgedWords(notices, waits, (said as Urging).channel)}` : ''

const handler = (o: Over<any>): Handler =>
  writes(
    o.of as Call<any, any>,
    async ({ count, sum, ...q }: { count: number; sum: number }, { tx, scope, today, now, world }) => {
      const pick = (mine: boolean): object =>
        Object.fromEntries(Object.entries(q).filter(([k]) => o.says.includes(k) === mine))
      const said = pick(true)
      const filter = pick(false) as BillAsk
      const d: Deed = { scope, today, now, reason: (said as { reason?: string }).reason }
      if (!narrows(filter)) return refuse('请先设置筛选条件，不能对全部账单操作')
      o.check?.(said, today)
      if (count > atOnce) {
        const parts = await partsOf(tx, o, d, filter, { count, sum })
        return {
          success: 0,
          fail: 0,
          skipped: 0,
          rows: [],
          message: `已转入后台${o.verb} ${count} 张，可在任务中心查看进度`,
          taskId: await world.jobs.start(tx, scope, o.kind, `按筛选${o.verb}账单 ${count} 张`, {
            parts,
            said,
          } satisfies Asked),
        }
      }
      const rows = await locked(tx, scope, billCondition(scope, filter, today, now))
      const no = searchRefusal(
        false,
        { count, sum },
        { count: rows.length, sum: rows.reduce((n, r) => n + r.receivable, 0) },
      )
      if (no) return refuse(no)
      const { notices, sends, waits, ...done } = await o.run(tx, d, said, rows, [])
      if (sends?.length) {
        await world.jobs.start(tx, scope, 'bills.urge', `发送催缴 ${sends.length} 条`, { ids: sends })
      }
      return { ...done, message: notices ? urgedWords(notices.length, waits, (said as Urging).channel) : '' }
    },
  )

/** One part in one transaction with the checkpoint. */
function onePart(
  o: Over<any>,
  { said, parts }: Asked,
  c: Running,
  sofar: SoFar,
): Promise<{ readonly next: SoFar; readonly sends: readonly number[] }> {
  const { store, scope, world } = c
  const now = fromInstant(world.clock())
  const ids = parts[sofar.at]!
  return store.tx(scope.ownerId, async tx => {
    const rows = await locked(tx, scope, meantCondition(scope, { ids: ids.map(String) }))
    const a = await o.run(
      tx,
      {
        scope,
        now,
        today: dayOfMoment(now),
        reason: (said as { reason?: string }).reason,
        most: ids.length,
      },
      said,
      rows,
      noneOf(ids, rows),
    )
    const moved: SoFar = {
      at: sofar.at + 1,
      success: sofar.success + a.success,
      notices: sofar.notices + (a.notices?.length ?? 0),
      waits: a.waits ?? sofar.waits,
      refused: alsoRefused(sofar.refused, a.rows),
    }
    await c.checkpoint.save(tx, moved)
    return { next: moved, sends: a.sends ?? [] }
  })
}

export const overJobs = deeds.map(o =>
  job<Asked>({
    kind: o.kind,
    type: o.byPayer ? 50 : 40,
    run: async (asked, c) => {
      let sofar: SoFar = { at: 0, success: 0, notices: 0, refused: {}, ...c.checkpoint.read<SoFar>() }
      const total = asked.parts.reduce((n, p) => n + p.length, 0)
      const done = (): number => asked.parts.slice(0, sofar.at).reduce((n, p) => n + p.length, 0)
      c.progress(done(), total, `正在${o.verb}`)
      for (let tries = 0; sofar.at < asked.parts.length;) {
        c.signal.throwIfAborted()
        let sends: readonly number[] = []
        try {
          ;({ next: sofar, sends } = await onePart(o, asked, c, sofar))
          tries = 0
          c.progress(done(), total, `正在${o.verb}`)
        } catch (e) {
          if (!collided(e) || ++tries > 5) throw e
        }
        // Once they are in. Killed before, the sender of what waits takes them up.
        if (sends.length) {
          await sendQueued(c.world, c.scope.ownerId, sends, c.signal)
        }
      }
      const summary = byReason(sofar.refused)
      const skipped = summary.reduce((n, r) => n + r.count, 0)
      return {
        success: sofar.success,
        skipped,
        summary,
        message: `${o.verb}成功 ${sofar.success} 张${skipped ? `，跳过 ${skipped} 张，原因见结果文件` : ''}${words(o, asked.said, sofar.notices, sofar.waits)}`,
        ...(skipped
          ? { file: await refusedFile(c, sofar.refused, `没有${o.verb}的账单`, String(c.task)) }
          : {}),
      }
    },
  }),
)

export const overHandlers = deeds.map(handler)
