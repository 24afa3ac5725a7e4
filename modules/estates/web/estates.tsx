import { useNavigate } from 'react-router'
import { buildColumns } from '#kit/web/columns.tsx'
import { createReasonAction } from '#kit/web/record-actions.ts'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { ChoiceStatus } from '#kit/web/status.tsx'
import { deleteEstates, estate, enabledState, listEstates } from '../contract/estate.ts'
import { menu } from '../module.ts'
import { EstateSettings } from './estate-settings.tsx'

const deleteAction = createReasonAction(deleteEstates, {
  unit: '个项目',
  nameOf: (e: { id: number; name: string }) => e.name,
  consequences: ['项目下还有楼栋、房间、车位或公共区域时不能删除'],
  reasonPresets: ['录入有误', '项目已退出'],
})

const listColumns = buildColumns(listEstates.output, [
  { key: 'name', identity: true },
  'projectCode',
  'projectType',
  { key: 'manager', hidePriority: 2 },
  { key: 'managerPhone', hidePriority: 2 },
  { key: 'address', hidePriority: 1 },
  'buildArea',
  'houseCount',
  { key: 'deliverDate', hidePriority: 1 },
  'state',
])

const editPath = '/service/data/statelist/editstate'

export default function EstatesPage() {
  const navigate = useNavigate()
  return (
    <ListPage
      list={listEstates}
      itemName="项目"
      columns={listColumns}
      barFilters={['projectType', 'state']}
      primaryAction={{
        label: '新增项目',
        needs: menu.estate.permissions.add,
        run: () => navigate('/service/data/statelist/addstate'),
      }}
      rowActions={e => [
        {
          label: '编辑',
          needs: menu.estate.permissions.edit,
          run: () => navigate(`${editPath}?code=${e.projectCode}`),
        },
        { label: '房态图', run: () => navigate('/service/data/roomboard') },
        deleteAction.row(e),
      ]}
      drawer={{
        title: e => e.name,
        status: e => <ChoiceStatus choices={enabledState} value={e.state} />,
        historyEntity: estate.name,
        groups: [
          {
            title: '基本信息',
            keys: ['projectCode', 'projectNo', 'projectType', 'feeMode', 'deliverDate', 'logo'],
          },
          {
            title: '位置',
            keys: [
              'provinceName',
              'cityName',
              'districtName',
              'address',
              'zoneCode',
              'longitude',
              'latitude',
            ],
          },
          {
            title: '联系与报警',
            keys: ['manager', 'managerPhone', 'servicePhone', 'alarmPhone', 'alarmEmail'],
          },
          { title: '规模', keys: ['landArea', 'buildArea', 'greenRate', 'houseCount'] },
        ],
        tabs: [
          {
            key: 'settings',
            label: () => '项目参数',
            body: e => <EstateSettings projectCode={e.projectCode} />,
          },
        ],
        actions: e => [
          {
            label: '编辑',
            needs: menu.estate.permissions.edit,
            run: () => navigate(`${editPath}?code=${e.projectCode}`),
          },
          deleteAction.row(e),
        ],
      }}
    />
  )
}
