import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { Refused, resultCode } from '#kit/contract/wire.ts'
import { dayOfMoment } from '#kit/domain/moment.ts'
import { isDay, type Day } from '#kit/domain/day.ts'
import { isDecimal, type Decimal } from '#kit/domain/decimal.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { App } from '#kit/server/app.ts'
import { anonymous } from '#kit/server/handler.ts'
import { countHit } from '#kit/server/rate-limit.ts'
import { clockScope, type Scope } from '#kit/server/scope.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { verifyTicket } from '#modules/accounts/server/public.ts'
import { submitSmartReadings } from '../contract/smart.ts'
import { enterReadings, type EntryLine } from './reading-entry.ts'
import { saveBook } from './meter-history-storage.ts'
import { meterInUse } from './reading-conditions.ts'

const maxLines = 1000
const maxRequestsPerMinute = 120

const createTicketRefusal = (message: string): Refused =>
  new Refused(resultCode.invalidInput, message, [{ Field: 'Ticket', Message: message }])

interface MeterName {
  readonly deviceNo?: string
  readonly meterNo?: string
}

/** A line of a collector: a reading, or the reason why it is none. */
type CollectorLine = MeterName &
  (
    | {
        readonly fault?: undefined
        readonly readDate: Day
        readonly curNum: Decimal
        readonly registers?: EntryLine['registers']
      }
    | { readonly fault: string }
  )

/** A number or a text as trimmed text. */
const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value).trim() || undefined : undefined

const objectOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? { ...value } : {}

const parseRegisters = (registers: readonly unknown[]): NonNullable<EntryLine['registers']> =>
  registers.slice(0, 4).flatMap(register => {
    const { Name, Current, Last, Price } = objectOf(register)
    const [name, current, last, price] = [textOf(Name), textOf(Current), textOf(Last), textOf(Price)]
    return name && current && [current, last ?? '0', price ?? '0'].every(isDecimal)
      ? [{ name: name.slice(0, 10), current, last, price }]
      : []
  })

/** Parses one line of a collector; numbers may come as numbers or texts. */
function parseLine(line: unknown): CollectorLine {
  const values = objectOf(line)
  const deviceNo = textOf(values.DeviceNo)
  const meterNo = textOf(values.MeterNo)
  const day = textOf(values.ReadDate)?.slice(0, 10)
  const number = textOf(values.CurNum)
  const name = { ...(deviceNo ? { deviceNo } : {}), ...(meterNo ? { meterNo } : {}) }
  if (!deviceNo && !meterNo) return { fault: '缺少 DeviceNo 或 MeterNo' }
  if (day === undefined || !isDay(day)) return { ...name, fault: 'ReadDate 应为 2026-02-28 这样的日期' }
  if (number === undefined || !isDecimal(number) || number.startsWith('-') || number.length > 16)
    return { ...name, fault: 'CurNum 应为不小于零的数字' }
  const registers = Array.isArray(values.Registers) ? parseRegisters(values.Registers) : []
  return { ...name, readDate: day, curNum: number, ...(registers.length ? { registers } : {}) }
}

const createCollectorScope = (
  app: Pick<App, 'clock'>,
  ownerId: Id,
  projectCode: string,
  ip: string,
  requestId: string,
): Scope => ({
  ...clockScope(app, ownerId),
  name: '智能表',
  projectCode,
  ip,
  requestId,
})

/** The ids by names that only one meter has. */
function withoutAmbiguous(
  entries: readonly (readonly [name: string | undefined, id: Id])[],
): Map<string, Id> {
  const byName = Map.groupBy(entries, ([name]) => name)
  return new Map(
    [...byName].flatMap(([name, same]): [string, Id][] =>
      name !== undefined && same.length === 1 ? [[name, defined(same[0])[1]]] : [],
    ),
  )
}

/** Finds meters in use by device number, else by meter number; an ambiguous one is not found. */
async function resolveMeterIds(
  tx: Tx,
  ownerId: Id,
  project: string,
  devices: readonly string[],
  nos: readonly string[],
): Promise<(name: MeterName) => Id | undefined> {
  const found = await tx.rows<{
    id: Id
    deviceNo?: string
    meterNo: string
  }>(sql`
    select id, device_no, meter_no
    from meter
    where owner_id = ${ownerId}
      and ${notDeleted()}
      and ${meterInUse('meter')}
      and (${project} = '' or project_code = ${project})
      and device_no = any(${[...devices]})
    union
    select id, device_no, meter_no
    from meter
    where owner_id = ${ownerId}
      and ${notDeleted()}
      and ${meterInUse('meter')}
      and (${project} = '' or project_code = ${project})
      and meter_no = any(${[...nos]})
  `)
  const idByDeviceNo = withoutAmbiguous(found.map(f => [f.deviceNo, f.id]))
  const idByMeterNo = withoutAmbiguous(found.map(f => [f.meterNo, f.id]))
  return ({ deviceNo, meterNo }) =>
    (deviceNo ? idByDeviceNo.get(deviceNo) : undefined) ?? (meterNo ? idByMeterNo.get(meterNo) : undefined)
}

interface RefusedLine {
  readonly line: number
  readonly meterNo?: string
  readonly reason: string
}

const refuseLine = (line: number, { meterNo, deviceNo }: CollectorLine, reason: string): RefusedLine => {
  const name = meterNo ?? deviceNo
  return { line, ...(name === undefined ? {} : { meterNo: name }), reason }
}

/** Lines as entries of their meters, or refused with the reason; `line` counts from 1. */
async function toEntryLines(
  tx: Tx,
  ownerId: Id,
  project: string,
  lines: readonly CollectorLine[],
): Promise<{ entries: (EntryLine & { line: number })[]; refused: RefusedLine[] }> {
  const meterIdOf = await resolveMeterIds(
    tx,
    ownerId,
    project,
    lines.flatMap(l => l.deviceNo ?? []),
    lines.flatMap(l => l.meterNo ?? []),
  )
  const entries: (EntryLine & { line: number })[] = []
  const refused: RefusedLine[] = []
  for (const [i, collectorLine] of lines.entries()) {
    const meterId = meterIdOf(collectorLine)
    if (collectorLine.fault !== undefined) {
      refused.push(refuseLine(i + 1, collectorLine, collectorLine.fault))
    } else if (meterId === undefined) {
      refused.push(refuseLine(i + 1, collectorLine, '仪表不存在，或设备号重复登记'))
    } else {
      const { readDate, curNum, registers } = collectorLine
      entries.push({ line: i + 1, meterId, readDate, curNum, ...(registers ? { registers } : {}) })
    }
  }
  return { entries, refused }
}

async function submitReadings(
  tx: Tx,
  scope: Scope,
  project: string,
  lines: readonly CollectorLine[],
  today: Day,
) {
  const { entries, refused } = await toEntryLines(tx, scope.ownerId, project, lines)
  const { book, outcomes } = await enterReadings(tx, scope, entries, {
    source: 'automatic',
    today,
    onMonth: 'newer',
  })
  await saveBook(tx, scope, book)
  const rows = [
    ...refused,
    ...outcomes.flatMap((outcome, i) => {
      const { line } = defined(entries[i])
      return outcome.kind === 'refused' ? [refuseLine(line, defined(lines[line - 1]), outcome.why)] : []
    }),
  ]
  const count = (kind: string): number => outcomes.filter(o => o.kind === kind).length
  return {
    success: count('placed'),
    fail: rows.length,
    skipped: count('same'),
    rows: rows.toSorted((a, b) => a.line - b.line),
  }
}

export const smartHandlers = [
  anonymous(submitSmartReadings, async ({ ticket }, c) => {
    const { ownerId, payload, markUsed } = await verifyTicket(c, ticket)
    const { Readings: readings, ProjectCode: projectCode } = payload
    const project = typeof projectCode === 'string' ? projectCode : ''
    if ((await countHit(c.app.database, `smart ${ownerId}`)) > maxRequestsPerMinute)
      throw new Refused(resultCode.rateLimited, '上报过于频繁，请稍后再试；可以把多块表合并成一次上报')
    if (!Array.isArray(readings) || !readings.length) throw createTicketRefusal('凭证中没有 Readings')
    if (readings.length > maxLines) throw createTicketRefusal(`一次最多上报 ${maxLines} 条读数`)
    const lines = readings.map(parseLine)
    const scope = createCollectorScope(c.app, ownerId, project, c.ip, c.requestId)
    return c.app.database.tx(ownerId, async tx => {
      await markUsed(tx)
      return submitReadings(tx, scope, project, lines, dayOfMoment(c.now))
    })
  }),
]
