import { useNavigate } from 'react-router'
import { withReason } from '#kit/web/acts.ts'
import { columns } from '#kit/web/columns.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { building, deleteBuildings, listBuildings } from '../contract/building.ts'
import { useProject } from './project.ts'
import { menu } from '../module.ts'
import { exportBuildings, importBuildings } from '../contract/transfer.ts'

const remove = withReason(deleteBuildings, {
  what: '栋楼',
  name: (b: { id: number; name: string }) => b.name,
  follows: ['楼内还有房间或公共区域时不能删除'],
  presets: ['录入有误', '重复录入'],
})

const shown = columns(listBuildings.output, [
  { key: 'name', identity: true },
  { key: 'code', drop: 1 },
  { key: 'estateName', drop: 2 },
  'buildType',
  'units',
  { key: 'unitNames', title: '单元', sort: undefined },
  { key: 'floors', title: '层数', sort: undefined },
  'buildArea',
  { key: 'deliverDate', drop: 1 },
])

const edit = (b: { id: number }): string => `/service/data/buildlist/editbuilds?id=${b.id}`

export default function BuildingsPage() {
  const navigate = useNavigate()
  const project = useProject()
  return (
    <ListPage
      list={listBuildings}
      what="楼栋"
      columns={shown}
      bar={['buildType']}
      import={project ? importBuildings : undefined}
      importGiven={{ projectCode: project }}
      export={exportBuildings}
      primary={{
        label: '新增楼栋',
        may: menu.building.may.add,
        run: () => navigate('/service/data/buildlist/addbuilds'),
      }}
      row={b => [
        { label: '编辑', may: menu.building.may.edit, run: () => navigate(edit(b)) },
        { label: '看房态图', run: () => navigate(`/service/data/roomboard?building=${b.code ?? ''}`) },
        remove.row(b),
      ]}
      batch={[remove.batch]}
      drawer={{
        title: b => b.name,
        history: building.name,
        groups: [
          {
            title: '基本信息',
            keys: ['code', 'estateName', 'buildType', 'deliverDate', 'buildArea', 'elevatorCount', 'remark'],
          },
          { title: '单元与楼层', keys: ['units', 'unitType', 'unitNames', 'floors', 'undergroundFloors'] },
        ],
        verbs: b => [
          { label: '编辑', may: menu.building.may.edit, run: () => navigate(edit(b)) },
          remove.row(b),
        ],
      }}
    />
  )
}
