import { defined } from '#kit/domain/defined.ts'
import { Refused, resultCode } from '#kit/contract/wire.ts'
import { dayOfMoment } from '#kit/domain/moment.ts'
import { isDay, type Day } from '#kit/domain/day.ts'
import { isDec } from '#kit/domain/decimal.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { anonymous } from '#kit/server/handler.ts'
import { countHit } from '#kit/server/rate-limit.ts'
import { systemScope, type Scope } from '#kit/server/scope.ts'
import { live } from '#kit/server/sql.ts'
import { verifyTicket } from '#modules/accounts/server/public.ts'
import { submitSmartReadings } from '../contract/smart.ts'
import { enterReadings, type EntryLine } from './reading-entry.ts'
import { saveBook } from './reading-book-storage.ts'
import { meterInUse } from './reading-conditions.ts'

const maxLines = 1000
const maxRequestsPerMinute = 120

const createTicketRefusal = (message: string): Refused =>
  new Refused(resultCode.invalidInput, message, [{ Field: 'Ticket', Message: message }])

type SentLine = Readonly<Record<string, unknown>>

/** Parses one line of a collector; numbers may come as numbers or texts. */
function parseLine(x: SentLine): {
  deviceNo?: string
  meterNo?: string
  readDate?: Day
  curNum?: string
  registers?: EntryLine['registers']
  why?: string
} {
  const text = (v: unknown): string | undefined =>
    typeof v === 'string' || typeof v === 'number' ? String(v).trim() || undefined : undefined
  const deviceNo = text(x.DeviceNo)
  const meterNo = text(x.MeterNo)
  const day = text(x.ReadDate)?.slice(0, 10)
  const num = text(x.CurNum)
  const named = { ...(deviceNo ? { deviceNo } : {}), ...(meterNo ? { meterNo } : {}) }
  if (!deviceNo && !meterNo) return { why: '缺少 DeviceNo 或 MeterNo' }
  if (day === undefined || !isDay(day)) return { ...named, why: 'ReadDate 应为 2026-02-28 这样的日期' }
  if (num === undefined || !isDec(num) || num.startsWith('-') || num.length > 16)
    return { ...named, why: 'CurNum 应为不小于零的数字' }
  const said = Array.isArray(x.Registers) ? (x.Registers as SentLine[]) : undefined
  const registers = said?.slice(0, 4).flatMap(r => {
    const [name, current, last, price] = [text(r.Name), text(r.Current), text(r.Last), text(r.Price)]
    return name && current && [current, last ?? '0', price ?? '0'].every(isDec)
      ? [{ name: name.slice(0, 10), current, last, price }]
      : []
  })
  return { ...named, readDate: day, curNum: num, ...(registers?.length ? { registers } : {}) }
}

const createCollectorScope = (
  ownerId: number,
  projectCode: string,
  ip: string,
  requestId: string,
): Scope => ({
  ...systemScope(ownerId),
  name: '智能表',
  projectCode,
  ip,
  requestId,
})

/** Finds meters in use by device number, else by meter number; an ambiguous one is not found. */
async function resolveMeterIds(
  tx: Tx,
  owner: number,
  project: string,
  devices: readonly string[],
  nos: readonly string[],
): Promise<(l: { deviceNo?: string; meterNo?: string }) => number | undefined> {
  const found = await tx.rows<{
    id: number
    deviceNo?: string
    meterNo: string
  }>(sql`
    select id, device_no, meter_no
    from meter
    where owner_id = ${owner}
      and ${live()}
      and ${meterInUse('meter')}
      and (${project} = '' or project_code = ${project})
      and device_no = any(${[...devices]})
    union
    select id, device_no, meter_no
    from meter
    where owner_id = ${owner}
      and ${live()}
      and ${meterInUse('meter')}
      and (${project} = '' or project_code = ${project})
      and meter_no = any(${[...nos]})
  `)
  const only = <K>(all: readonly (readonly [K | undefined, number])[]): Map<K, number> => {
    const by = Map.groupBy(all, a => a[0])
    return new Map(
      [...by].flatMap(([k, v]) =>
        k !== undefined && v.length === 1 ? [[k, defined(v[0])[1]] as const] : [],
      ),
    )
  }
  const byDevice = only(found.map(f => [f.deviceNo, f.id]))
  const byNo = only(found.map(f => [f.meterNo, f.id]))
  return l =>
    (l.deviceNo ? byDevice.get(l.deviceNo) : undefined) ?? (l.meterNo ? byNo.get(l.meterNo) : undefined)
}

export const smartHandlers = [
  anonymous(submitSmartReadings, async ({ ticket }, c) => {
    const { ownerId, payload: said, markUsed: spend } = await verifyTicket(c, ticket)
    const project = typeof said.ProjectCode === 'string' ? said.ProjectCode : ''
    if ((await countHit(c.app.database, `smart ${ownerId}`)) > maxRequestsPerMinute)
      throw new Refused(resultCode.rateLimited, '上报过于频繁，请稍后再试；可以把多只表合并成一次上报')
    if (!Array.isArray(said.Readings) || !said.Readings.length)
      throw createTicketRefusal('票据里没有 Readings')
    if (said.Readings.length > maxLines) throw createTicketRefusal(`一次最多上报 ${maxLines} 条读数`)
    const lines = (said.Readings as unknown[]).map(x =>
      parseLine(x && typeof x === 'object' ? (x as SentLine) : {}),
    )
    const today = dayOfMoment(c.now)
    const scope = createCollectorScope(ownerId, project, c.ip, c.requestId)
    return c.app.database.tx(ownerId, async tx => {
      await spend(tx)
      const idOf = await resolveMeterIds(
        tx,
        ownerId,
        project,
        lines.flatMap(l => l.deviceNo ?? []),
        lines.flatMap(l => l.meterNo ?? []),
      )
      const rows: { line: number; meterNo?: string; reason: string }[] = []
      const given: (EntryLine & { line: number })[] = []
      for (const [i, l] of lines.entries()) {
        const meterId = idOf(l)
        const at = {
          line: i + 1,
          ...((l.meterNo ?? l.deviceNo) ? { meterNo: l.meterNo ?? defined(l.deviceNo) } : {}),
        }
        if (l.why) {
          rows.push({ ...at, reason: l.why })
        } else if (meterId === undefined) {
          rows.push({ ...at, reason: '没有这只表，或几只表登记了同一个设备号' })
        } else {
          given.push({
            line: i + 1,
            meterId,
            readDate: defined(l.readDate),
            curNum: defined(l.curNum),
            ...(l.registers ? { registers: l.registers } : {}),
          })
        }
      }
      const { book, outcomes } = await enterReadings(tx, scope, given, {
        source: 'automatic',
        today,
        onMonth: 'newer',
      })
      await saveBook(tx, scope, book)
      for (const [i, o] of outcomes.entries()) {
        if (o.kind === 'refused') {
          const l = defined(lines[defined(given[i]).line - 1])
          rows.push({
            line: defined(given[i]).line,
            ...((l.meterNo ?? l.deviceNo) ? { meterNo: l.meterNo ?? defined(l.deviceNo) } : {}),
            reason: o.why,
          })
        }
      }
      const n = (kind: string): number => outcomes.filter(o => o.kind === kind).length
      return {
        success: n('placed'),
        fail: rows.length,
        skipped: n('same'),
        rows: rows.toSorted((a, b) => a.line - b.line),
      }
    })
  }),
]
