import { Refused } from '#kit/contract/wire.ts'
import type { Building } from '../contract/building.ts'
import { planUnits } from '../domain/units.ts'

/** The units that a form describes, with their floors, before anything is saved (BASE-2). */
export function PlannedUnits({ of }: { readonly of: Partial<Building> }) {
  if (!of.units || !of.floors?.length) return null
  try {
    const planned = planUnits({
      units: of.units,
      unitType: of.unitType ?? 'number',
      unitNames: of.unitNames,
      floors: of.floors,
      undergroundFloors: of.undergroundFloors,
    })
    return (
      <p className="ask-note">
        将有 {planned.length} 个单元：
        {planned
          .slice(0, 12)
          .map(u => `${u.name}（${u.floors} 层${u.underground ? `，地下 ${u.underground} 层` : ''}）`)
          .join('、')}
        {planned.length > 12 ? ' …' : ''}
      </p>
    )
  } catch (e) {
    return <p className="ask-note bad">{e instanceof Refused ? e.message : ''}</p>
  }
}
