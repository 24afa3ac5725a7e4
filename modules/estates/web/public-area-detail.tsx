import { DetailPage } from '#kit/web/detail/detail-page.tsx'
import { screenAction } from '#kit/web/screen-action.ts'
import { useEdit } from '#kit/web/form/use-edit.tsx'
import { ChoiceStatus } from '#kit/web/status.tsx'
import { editPublicArea, getPublicArea, publicArea, rentState } from '../contract/public-area.ts'

export default function PublicAreaDetailPage() {
  const form = useEdit({
    itemName: '公共区域',
    edit: editPublicArea,
    load: getPublicArea,
    nameOf: a => a.name,
    presentation: 'drawer',
  })
  return (
    <DetailPage
      loadCall={getPublicArea}
      title={a => a.name}
      status={a => <ChoiceStatus choices={rentState} value={a.rentState} />}
      historyEntity={publicArea.name}
      actions={a => [
        form.editAction(a),
        screenAction(
          '/service/data/PublicAreaManage/addPublicFeescale',
          { codes: a.code, project: a.projectCode },
          '收费标准',
        ),
      ]}
      footer={form.dialog}
    />
  )
}
