import { labelOf } from '#kit/contract/field.ts'
import { recordPath } from '#kit/contract/crud-screens.ts'
import { moreHits, type Hit } from '#kit/web/command-palette.ts'
import { send } from '#kit/web/send.ts'
import { session, shownProjectCode } from '#kit/web/session.ts'
import { cars, type Car } from '../contract/car.ts'
import { carState } from '../contract/car-labels.ts'
import { carScreens } from '../module.ts'

const maxHits = 10

const toHit = (row: Car, currentProject: string | undefined): Hit => ({
  key: String(row.id),
  title: row.plateNo,
  note: [row.ownerName, row.roomPath, row.placeNo, labelOf(carState, row.carState)]
    .filter(Boolean)
    .join(' · '),
  isOtherProject: currentProject !== undefined && row.projectCode !== currentProject,
  path: recordPath(carScreens.paths.detail, row.id),
  actions: [{ label: '查看车辆', path: recordPath(carScreens.paths.detail, row.id), letter: 'R' }],
})

/** Cars by a part of the plate; also by their owner. */
export async function findCars(keyword: string, signal: AbortSignal): Promise<readonly Hit[]> {
  // One letter or digit finds half the company.
  if (/^[\x20-\x7e]?$/.test(keyword)) return []
  const currentProject = shownProjectCode(session.getState())
  const { rows } = await send(cars.list, { keyword, size: maxHits + 1 }, { quiet: true, signal, project: 0 })
  const hits = rows.slice(0, maxHits).map(row => toHit(row, currentProject))
  return rows.length > maxHits
    ? [...hits, moreHits('车辆', `${carScreens.paths.list}?keyword=${encodeURIComponent(keyword)}`)]
    : hits
}
