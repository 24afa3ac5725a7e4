import { sum, type Decimal } from '#kit/domain/decimal.ts'
import type { Id } from '#kit/domain/id.ts'
import type { GreenArea } from '../contract/green-area.ts'

export interface Planting {
  readonly qty: Decimal
  readonly areaIds: readonly string[]
  readonly areaNames: string
}

type PlantedArea = Pick<GreenArea, 'id' | 'areaName' | 'plants' | 'estateName'>

/** How many of a plant are in these areas, and in which; areas of several projects with their project. */
export function plantingOf(
  plantId: Id,
  areas: readonly PlantedArea[],
  { withEstates = false }: { readonly withEstates?: boolean } = {},
): Planting {
  const nameOf = ({ areaName, estateName }: PlantedArea): string =>
    withEstates && estateName ? `${estateName} ${areaName}` : areaName
  const found = areas.flatMap(area => {
    const line = area.plants?.find(each => each.plantId === plantId)
    return line ? [{ area, qty: line.qty }] : []
  })
  return {
    qty: sum(found.map(({ qty }) => qty)),
    areaIds: found.map(({ area }) => String(area.id)),
    areaNames: found.map(({ area }) => nameOf(area)).join('、'),
  }
}

/** Lines that name a plant a second time: their positions. */
export const repeatedLines = (lines: readonly { readonly plantId: Id }[]): readonly number[] =>
  lines.flatMap(({ plantId }, i) => (lines.findIndex(line => line.plantId === plantId) < i ? [i] : []))
