import { useNavigate } from 'react-router'
import { buildColumns } from '#kit/web/columns.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { useCall } from '#kit/web/query.ts'
import { createReasonAction } from '#kit/web/record-actions.ts'
import { ChoiceStatus } from '#kit/web/status.tsx'
import { enabledState } from '#modules/estates/contract/estate.ts'
import { getRoad, patrolRoads, type PatrolRoad } from '../contract/road.ts'
import { menu, paths } from '../module.ts'
import { RoadDiagram } from './road-drawing.tsx'

const columns = buildColumns(patrolRoads.list.output, [
  { key: 'roadName', identity: true, grow: 2 },
  'areaName',
  'inOrder',
  'pointCount',
  'totalMinutes',
  'state',
  { key: 'updateTime', wideOnly: true },
])

const remove = createReasonAction(patrolRoads.delete, {
  unit: '条路线',
  nameOf: (road: PatrolRoad) => road.roadName,
  consequences: ['有巡更计划使用的路线不能删除；不再使用请停用'],
  reasonPresets: ['录入有误', '不再使用'],
})

/** The way of a road, in its drawer. */
function RoadPreview({ road }: { readonly road: PatrolRoad }) {
  const found = useCall(getRoad, { id: road.id }, { quiet: true }).data
  if (!found) return null
  const stops = found.points.map(point => ({ ...point, name: point.pointName ?? '--' }))
  return (
    <div className="road-way">
      <RoadDiagram drawing={found.drawing} stops={stops} />
    </div>
  )
}

/** 巡更路线 */
export default function RoadsPage() {
  const navigate = useNavigate()
  const editAction = (road: PatrolRoad) => ({
    label: '编辑',
    needs: menu.road.permissions.edit,
    run: () => void navigate(`${paths.editRoad}?id=${road.id}`),
  })
  return (
    <ListPage
      list={patrolRoads.list}
      itemName="巡更路线"
      columns={columns}
      barFilters={['areaId', 'state']}
      primaryAction={{
        label: '新增巡更路线',
        needs: menu.road.permissions.add,
        run: () => void navigate(paths.addRoad),
      }}
      rowActions={road => [editAction(road), remove.row(road)]}
      batchActions={[remove.batch]}
      isDimmed={road => road.state === 'off'}
      drawer={{
        width: 880,
        title: road => road.roadName,
        status: road => <ChoiceStatus choices={enabledState} value={road.state} />,
        afterGroups: road => <RoadPreview road={road} />,
        actions: road => [editAction(road), remove.row(road)],
        historyEntity: 'patrolRoad',
      }}
    />
  )
}
