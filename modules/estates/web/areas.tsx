import { useNavigate } from 'react-router'
import { withReason } from '#kit/web/acts.ts'
import { screenVerb } from '#kit/web/screen-verb.ts'
import { columns } from '#kit/web/columns.tsx'
import { pictures } from '#kit/web/controls/kinds.tsx'
import { useEdit } from '#kit/web/form/use-edit.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { Choice } from '#kit/web/status.tsx'
import {
  addArea,
  deleteAreas,
  editArea,
  listAreas,
  oneArea,
  publicArea,
  rentState,
} from '../contract/area.ts'
import { exportAreas } from '../contract/transfer.ts'
import { menu } from '../module.ts'

const remove = withReason(deleteAreas, {
  what: '个公共区域',
  name: (a: { id: number; name: string }) => a.name,
  presets: ['录入有误', '已改作他用'],
})

const shown = columns(listAreas.output, [
  { key: 'name', identity: true },
  'code',
  { key: 'estateName', drop: 2 },
  'buildName',
  'areaType',
  'area',
  { key: 'position', drop: 1 },
  'rentState',
])

const scale = (a: { code?: string; projectCode: string }) =>
  screenVerb(
    '/service/data/PublicAreaManage/addPublicFeescale',
    { codes: a.code, project: a.projectCode },
    '收费标准',
  )

const groups = [
  {
    keys: [
      'name',
      'code',
      'areaType',
      'buildCode',
      'area',
      'rentState',
      { key: 'position', wide: true },
      { key: 'photos', control: pictures, wide: true },
      'remark',
    ],
  },
]

export default function AreasPage() {
  const navigate = useNavigate()
  const form = useEdit({
    what: '公共区域',
    add: addArea,
    edit: editArea,
    one: oneArea,
    name: a => a.name,
    groups,
    as: 'drawer',
  })
  return (
    <>
      <ListPage
        list={listAreas}
        what="公共区域"
        columns={shown}
        bar={['areaType', 'rentState', 'buildCode']}
        primary={form.add}
        export={exportAreas}
        row={a => [
          form.edit(a),
          {
            label: '查看详情',
            may: menu.area.may.view,
            run: () => navigate(`/service/data/PublicAreaManage/PublicAreaDetail?id=${a.id}`),
          },
          scale(a),
          remove.row(a),
        ]}
        batch={[remove.batch]}
        drawer={{
          title: a => a.name,
          status: a => <Choice of={rentState} value={a.rentState} />,
          one: oneArea,
          history: publicArea.name,
          page: a => void navigate(`/service/data/PublicAreaManage/PublicAreaDetail?id=${a.id}`),
          verbs: a => [form.edit(a), scale(a), remove.row(a)],
        }}
      />
      {form.dialog}
    </>
  )
}
