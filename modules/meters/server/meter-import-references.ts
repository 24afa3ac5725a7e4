import type { Id } from '#kit/domain/id.ts'
import { sql, type Db } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { findAll } from '#kit/server/table.ts'
import { loadSheetRooms, type SheetRoom } from '#modules/rooms/server/public.ts'
import { meter, type Meter } from '../contract/meter.ts'
import type { MeterLine } from '../contract/transfer.ts'
import {
  findChargedMeters,
  loadMeterSources,
  loadReadingSpans,
  sourceKey,
  type MeterSource,
  type ReadingSpan,
} from './meter-validation.ts'

export type MeterRow = Partial<MeterLine>

/** What the lines of a sheet refer to, read once for all of them. */
export interface MeterReferences {
  /** Meters that the lines name as their own or as their parent. */
  readonly metersByNo: ReadonlyMap<string, Meter>
  readonly readingSpans: ReadonlyMap<Id, ReadingSpan>
  readonly chargedMeters: ReadonlySet<Id>
  readonly roomOf: (row: MeterRow) => SheetRoom | undefined
  readonly sourceOf: (row: MeterRow) => MeterSource | undefined
}

export const noReferences: MeterReferences = {
  metersByNo: new Map(),
  readingSpans: new Map(),
  chargedMeters: new Set(),
  roomOf: () => undefined,
  sourceOf: () => undefined,
}

export async function loadMeterReferences(
  db: Db,
  scope: Scope,
  projectCode: string,
  rows: readonly MeterRow[],
): Promise<MeterReferences> {
  const findRoom = await loadSheetRooms(db, scope.ownerId, projectCode, [
    ...new Set(rows.flatMap(row => row.buildCode ?? [])),
  ])
  const roomOf = (row: MeterRow): SheetRoom | undefined =>
    row.buildCode && row.unitName && row.roomNo
      ? findRoom(row.buildCode, row.unitName, row.roomNo)
      : undefined
  const sources = await loadMeterSources(
    db,
    scope.ownerId,
    projectCode,
    rows.flatMap(row => roomOf(row)?.code ?? []),
    rows.flatMap(row => row.areaCode ?? []),
  )
  const numbers = [...new Set(rows.flatMap(row => [row.meterNo ?? [], row.parentNo ?? []].flat()))]
  const meters = await findAll(
    db,
    meter,
    scope,
    { projectCode },
    { where: [sql`t.meter_no = any(${numbers})`], limit: 50_000 },
  )
  const metersByNo = new Map(meters.map(m => [m.meterNo, m]))
  const meterIds = [...metersByNo.values()].map(m => m.id)
  return {
    metersByNo,
    readingSpans: await loadReadingSpans(db, scope.ownerId, meterIds),
    chargedMeters: await findChargedMeters(db, scope.ownerId, meterIds),
    roomOf,
    sourceOf: row => {
      const room = roomOf(row)
      if (room) return sources.get(sourceKey('room', room.code))
      return row.areaCode ? sources.get(sourceKey('publicArea', row.areaCode)) : undefined
    },
  }
}
