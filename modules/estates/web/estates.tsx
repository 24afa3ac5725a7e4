import { useNavigate } from 'react-router'
import { columns } from '#kit/web/columns.tsx'
import { withReason } from '#kit/web/acts.ts'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { Choice } from '#kit/web/status.tsx'
import { deleteEstates, estate, inUse, listEstates } from '../contract/estate.ts'
import { menu } from '../module.ts'
import { Settings } from './settings.tsx'

const remove = withReason(deleteEstates, {
  what: '个项目',
  name: (e: { id: number; name: string }) => e.name,
  follows: ['项目下还有楼栋、房间、车位或公共区域时不能删除'],
  presets: ['录入有误', '项目已退出'],
})

const shown = columns(listEstates.output, [
  { key: 'name', identity: true },
  'projectCode',
  'projectType',
  { key: 'manager', drop: 2 },
  { key: 'managerPhone', drop: 2 },
  { key: 'address', drop: 1 },
  'buildArea',
  'houseCount',
  { key: 'deliverDate', drop: 1 },
  'state',
])

const edit = '/service/data/statelist/editstate'

export default function EstatesPage() {
  const navigate = useNavigate()
  return (
    <ListPage
      list={listEstates}
      what="项目"
      columns={shown}
      bar={['projectType', 'state']}
      primary={{
        label: '新增项目',
        may: menu.estate.may.add,
        run: () => navigate('/service/data/statelist/addstate'),
      }}
      row={e => [
        { label: '编辑', may: menu.estate.may.edit, run: () => navigate(`${edit}?code=${e.projectCode}`) },
        { label: '房态图', run: () => navigate('/service/data/roomboard') },
        remove.row(e),
      ]}
      drawer={{
        title: e => e.name,
        status: e => <Choice of={inUse} value={e.state} />,
        history: estate.name,
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
          { key: 'settings', label: () => '项目参数', body: e => <Settings projectCode={e.projectCode} /> },
        ],
        verbs: e => [
          { label: '编辑', may: menu.estate.may.edit, run: () => navigate(`${edit}?code=${e.projectCode}`) },
          remove.row(e),
        ],
      }}
    />
  )
}
