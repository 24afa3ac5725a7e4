import { useNavigate } from 'react-router'
import { createReasonAction } from '#kit/web/record-actions.ts'
import { screenAction } from '#kit/web/screen-action.ts'
import { buildColumns } from '#kit/web/columns.tsx'
import { imagesControl } from '#kit/web/controls/control-kinds.tsx'
import { useEdit } from '#kit/web/form/use-edit.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { ChoiceStatus } from '#kit/web/status.tsx'
import {
  addPublicArea,
  deletePublicAreas,
  editPublicArea,
  listPublicAreas,
  getPublicArea,
  publicArea,
  rentState,
} from '../contract/public-area.ts'
import { exportPublicAreas } from '../contract/public-area.ts'
import { menu } from '../module.ts'

const deleteAction = createReasonAction(deletePublicAreas, {
  unit: '个公共区域',
  nameOf: (a: { id: number; name: string }) => a.name,
  reasonPresets: ['录入有误', '已改作他用'],
})

const listColumns = buildColumns(listPublicAreas.output, [
  { key: 'name', identity: true },
  'code',
  { key: 'estateName', hidePriority: 2 },
  'buildName',
  'areaType',
  'area',
  { key: 'position', hidePriority: 1 },
  'rentState',
])

const feeStandardAction = (a: { code?: string; projectCode: string }) =>
  screenAction(
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
      { key: 'photos', control: imagesControl, wide: true },
      'remark',
    ],
  },
]

export default function PublicAreasPage() {
  const navigate = useNavigate()
  const form = useEdit({
    itemName: '公共区域',
    add: addPublicArea,
    edit: editPublicArea,
    load: getPublicArea,
    nameOf: a => a.name,
    groups,
    presentation: 'drawer',
  })
  return (
    <>
      <ListPage
        list={listPublicAreas}
        itemName="公共区域"
        columns={listColumns}
        barFilters={['areaType', 'rentState', 'buildCode']}
        primaryAction={form.addAction}
        export={exportPublicAreas}
        rowActions={a => [
          form.editAction(a),
          {
            label: '查看详情',
            needs: menu.area.permissions.view,
            run: () => navigate(`/service/data/PublicAreaManage/PublicAreaDetail?id=${a.id}`),
          },
          feeStandardAction(a),
          deleteAction.row(a),
        ]}
        batchActions={[deleteAction.batch]}
        drawer={{
          title: a => a.name,
          status: a => <ChoiceStatus choices={rentState} value={a.rentState} />,
          loadCall: getPublicArea,
          historyEntity: publicArea.name,
          openAsPage: a => void navigate(`/service/data/PublicAreaManage/PublicAreaDetail?id=${a.id}`),
          actions: a => [form.editAction(a), feeStandardAction(a), deleteAction.row(a)],
        }}
      />
      {form.dialog}
    </>
  )
}
