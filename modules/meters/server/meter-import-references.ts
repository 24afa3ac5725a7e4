import type { Id } from '#kit/domain/id.ts'
import type { ImportFile } from '#kit/server/crud-import.ts'
import type { Db } from '#kit/server/db.ts'
import type { SheetPlaces } from '#modules/rooms/server/public.ts'
import type { Meter } from '../contract/meter.ts'
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
  readonly readingSpans: ReadonlyMap<Id, ReadingSpan>
  readonly chargedMeters: ReadonlySet<Id>
  /** A meter that the lines name as their own or as their parent. */
  readonly meterOf: (meterNo: string) => Meter | undefined
  readonly sourceOf: (row: MeterRow) => MeterSource | undefined
}

export async function loadMeterReferences(
  db: Db,
  {
    request,
    lines,
    data: { places },
    existingBy,
  }: ImportFile<MeterLine, Meter, { readonly places: SheetPlaces }>,
): Promise<MeterReferences> {
  const { scope, extraInput } = request
  const rows = lines.map(line => line.row)
  await places.loadRooms(rows)
  const sources = await loadMeterSources(
    db,
    scope.ownerId,
    extraInput.projectCode,
    rows.flatMap(row => places.roomOf(row)?.code ?? []),
    rows.flatMap(row => row.areaCode ?? []),
  )
  const meterIds = rows.flatMap(row => existingBy('meterNo', row.meterNo)?.id ?? [])
  return {
    readingSpans: await loadReadingSpans(db, scope.ownerId, meterIds),
    chargedMeters: await findChargedMeters(db, scope.ownerId, meterIds),
    meterOf: meterNo => existingBy('meterNo', meterNo),
    sourceOf: row => {
      const room = places.roomOf(row)
      if (room) return sources.get(sourceKey('room', room.code))
      return row.areaCode ? sources.get(sourceKey('publicArea', row.areaCode)) : undefined
    },
  }
}
