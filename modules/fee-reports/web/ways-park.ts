import { bare } from './narrow.ts'
import type { From, Way } from './way.ts'
import { bills } from './ways.ts'
import { billFigures, listed, objects, owed } from './ways-room.ts'

export const parkPath = '/finance/reportCenter/financialManagement/park'

/** A car park's bills are found place by place, on this screen; all else in the list of bills. */
const lots: Way = {
  path: parkPath,
  filter: f => ({ ...bare(f), ...(f.row ? { park: [f.row.key!] } : {}), by: 'place' }),
  figures: { lateFee: owed, unpaid: owed },
}

const parked: Way = {
  ...bills,
  filter: f => {
    const { park: _, ...asked } = f.asked
    return listed({ ...objects, place: objects.source! })({
      ...f,
      asked: { sourceType: ['car', 'parkPlace'], ...asked },
    })
  },
  figures: billFigures,
}

export const parkWay = (_: string, f: From): Way | undefined =>
  f.by === 'park' && f.row
    ? lots
    : f.asked.park && !(f.row && f.by === 'place')
      ? f.row
        ? undefined
        : lots
      : parked
