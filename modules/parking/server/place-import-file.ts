import type { SheetLineOf } from '#kit/contract/crud-sheet.ts'
import type { Id } from '#kit/domain/id.ts'
import type { ImportFile } from '#kit/server/crud-import.ts'
import { importPlaces } from '../contract/import-export.ts'
import type { Park } from '../contract/park.ts'
import type { ParkPlace } from '../contract/park-place.ts'

export type PlaceSheetRow = SheetLineOf<typeof importPlaces>
export type SheetRow = Partial<PlaceSheetRow>
export type PlaceFile = ImportFile<PlaceSheetRow, ParkPlace, SheetReferences>

/** A tandem pair: which place is behind which. */
export interface PlacePair {
  readonly parkId: Id
  readonly parentId: Id
  readonly parentNo: string
  readonly childId: Id
  readonly childNo: string
}

/** What the names of a file may mean. */
export interface SheetReferences {
  readonly parks: readonly Pick<Park, 'id' | 'name' | 'code'>[]
  /** Codes of rooms by path and by code. */
  readonly roomCodes: ReadonlyMap<string, ReadonlySet<string>>
  readonly pairs: readonly PlacePair[]
}

/** A place is named by its number in its car park. */
export const placeKey = ['parkId', 'placeNo'] as const
