import { DetailPage } from '#kit/web/detail/detail-page.tsx'
import { screenVerb } from '#kit/web/screen-verb.ts'
import { useEdit } from '#kit/web/form/use-edit.tsx'
import { Choice } from '#kit/web/status.tsx'
import { editArea, oneArea, publicArea, rentState } from '../contract/area.ts'

export default function AreaDetailPage() {
  const form = useEdit({ what: '公共区域', edit: editArea, one: oneArea, name: a => a.name, as: 'drawer' })
  return (
    <DetailPage
      one={oneArea}
      title={a => a.name}
      status={a => <Choice of={rentState} value={a.rentState} />}
      history={publicArea.name}
      verbs={a => [
        form.edit(a),
        screenVerb(
          '/service/data/PublicAreaManage/addPublicFeescale',
          { codes: a.code, project: a.projectCode },
          '收费标准',
        ),
      ]}
      below={form.dialog}
    />
  )
}
