import { recordPath } from '#kit/contract/crud-screens.ts'
import { buildColumns, withoutSorting } from '#kit/web/columns.tsx'
import { Loaded } from '#kit/web/loaded.tsx'
import { Empty } from '#kit/web/page-feedback.tsx'
import { useCall } from '#kit/web/query.ts'
import { DataTable } from '#kit/web/table/data-table.tsx'
import { Link } from 'react-router'
import { listCarsOfPlace } from '../contract/car.ts'
import type { ParkPlace } from '../contract/park-place.ts'
import { carScreens } from '../module.ts'
import './parking.css'

const columns = buildColumns(listCarsOfPlace.output, [
  {
    key: 'plateNo',
    identity: true,
    render: row => <Link to={recordPath(carScreens.paths.detail, row.id)}>{row.plateNo}</Link>,
  },
  'carKind',
  'beginDate',
  'endDate',
  'carState',
]).map(withoutSorting)

/** The cars that hold a place. */
export function PlaceCars({ place }: { readonly place: ParkPlace }) {
  const rows = useCall(listCarsOfPlace, { placeId: place.id }, { quiet: true })
  return (
    <Loaded query={rows} height={160} rows={3} keepsAnswer>
      {answer =>
        answer.length ? (
          <div className="group-rows" style={{ height: (answer.length + 1) * 40 + 12 }}>
            <DataTable rows={answer} columns={columns} keyOf={row => row.id} label="车辆" />
          </div>
        ) : (
          <Empty text="暂无车辆" />
        )
      }
    </Loaded>
  )
}
