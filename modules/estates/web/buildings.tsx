import { useNavigate } from 'react-router'
import { createReasonAction } from '#kit/web/record-actions.ts'
import { buildColumns } from '#kit/web/columns.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { building, deleteBuildings, listBuildings } from '../contract/building.ts'
import { useProject } from './use-project.ts'
import { menu } from '../module.ts'
import { exportBuildings, importBuildings } from '../contract/building.ts'

const deleteAction = createReasonAction(deleteBuildings, {
  unit: '栋楼',
  nameOf: (b: { id: number; name: string }) => b.name,
  consequences: ['楼内还有房间或公共区域时不能删除'],
  reasonPresets: ['录入有误', '重复录入'],
})

const listColumns = buildColumns(listBuildings.output, [
  { key: 'name', identity: true },
  { key: 'code', hidePriority: 1 },
  { key: 'estateName', hidePriority: 2 },
  'buildType',
  'units',
  { key: 'unitNames', title: '单元', sortKey: undefined },
  { key: 'floors', title: '层数', sortKey: undefined },
  'buildArea',
  { key: 'deliverDate', hidePriority: 1 },
])

const editPathOf = (b: { id: number }): string => `/service/data/buildlist/editbuilds?id=${b.id}`

export default function BuildingsPage() {
  const navigate = useNavigate()
  const project = useProject()
  return (
    <ListPage
      list={listBuildings}
      itemName="楼栋"
      columns={listColumns}
      barFilters={['buildType']}
      import={project ? importBuildings : undefined}
      importInput={{ projectCode: project }}
      export={exportBuildings}
      primaryAction={{
        label: '新增楼栋',
        needs: menu.building.permissions.add,
        run: () => navigate('/service/data/buildlist/addbuilds'),
      }}
      rowActions={b => [
        { label: '编辑', needs: menu.building.permissions.edit, run: () => navigate(editPathOf(b)) },
        { label: '看房态图', run: () => navigate(`/service/data/roomboard?building=${b.code ?? ''}`) },
        deleteAction.row(b),
      ]}
      batchActions={[deleteAction.batch]}
      drawer={{
        title: b => b.name,
        historyEntity: building.name,
        groups: [
          {
            title: '基本信息',
            keys: ['code', 'estateName', 'buildType', 'deliverDate', 'buildArea', 'elevatorCount', 'remark'],
          },
          { title: '单元与楼层', keys: ['units', 'unitType', 'unitNames', 'floors', 'undergroundFloors'] },
        ],
        actions: b => [
          { label: '编辑', needs: menu.building.permissions.edit, run: () => navigate(editPathOf(b)) },
          deleteAction.row(b),
        ],
      }}
    />
  )
}
