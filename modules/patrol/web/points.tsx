import { buildColumns } from '#kit/web/columns.tsx'
import { useEdit } from '#kit/web/form/use-edit.tsx'
import { defineFormGroups } from '#kit/web/form/form-fields.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { createReasonAction } from '#kit/web/record-actions.ts'
import { download } from '#kit/web/send.ts'
import { ChoiceStatus } from '#kit/web/status.tsx'
import { enabledState } from '#modules/estates/contract/estate.ts'
import { useProject } from '#modules/estates/web/public.tsx'
import {
  exportPoints,
  importPoints,
  patrolPoints,
  printPointLabels,
  renewPointCodes,
  type PatrolPoint,
} from '../contract/point.ts'
import type { SignKind } from '../domain/point.ts'
import { menu } from '../module.ts'

const columns = buildColumns(patrolPoints.list.output, [
  { key: 'pointName', identity: true, grow: 2 },
  { key: 'pointCode', hidePriority: 2 },
  'areaName',
  'signTypes',
  { key: 'templateName', hidePriority: 1 },
  'state',
])

interface Values {
  readonly signTypes?: readonly SignKind[]
}

const without = (kind: SignKind) => (values: Values) => !values.signTypes?.includes(kind)

const formGroups = defineFormGroups([
  { keys: ['pointName', 'pointCode', 'areaId', 'state'] },
  {
    title: '签到',
    keys: [
      { key: 'signTypes', wide: true, help: '到达后任一方式签到；含定位的须在半径内，含拍照的须拍照' },
      { key: 'nfcNo', isRequired: true, isHidden: without('nfc') },
      { key: 'bleNo', isRequired: true, isHidden: without('ble') },
      { key: 'longitude', isRequired: true, isHidden: without('gps') },
      { key: 'latitude', isRequired: true, isHidden: without('gps') },
      { key: 'radius', isRequired: true, isHidden: without('gps') },
    ],
  },
  { title: '检查', keys: ['templateId', { key: 'items', wide: true }] },
  { title: '其他', keys: ['photo', { key: 'remark', wide: true }] },
])

const newPoint: Partial<PatrolPoint> = { signTypes: ['qr'], radius: 50, state: 'on' }

const remove = createReasonAction(patrolPoints.delete, {
  unit: '个点位',
  nameOf: (point: PatrolPoint) => point.pointName,
  consequences: ['路线中的点位不能删除；不再使用请停用'],
  reasonPresets: ['录入有误', '不再使用'],
})

const renew = createReasonAction(renewPointCodes, {
  label: '更换二维码',
  unit: '个点位',
  nameOf: (point: PatrolPoint) => point.pointName,
  consequences: ['已张贴的二维码失效，须重新打印张贴'],
  reasonPresets: ['二维码被翻拍', '标签丢失'],
})

const printLabels = (input: object): Promise<string> =>
  download(printPointLabels, { ...input, address: location.origin })

const printAction = (point: PatrolPoint) => ({
  label: '打印二维码',
  needs: menu.point.permissions.label,
  disabledReason: point.signTypes.includes('qr') ? undefined : '签到方式不含二维码',
  run: () => printLabels({ projectCode: point.projectCode, ids: [String(point.id)] }),
})

/** 巡更点位: where people must have been, and how that is shown. */
export default function PointsPage() {
  const project = useProject()
  const form = useEdit({
    itemName: '巡更点位',
    add: patrolPoints.add,
    edit: patrolPoints.edit,
    load: patrolPoints.get,
    nameOf: (point: PatrolPoint) => point.pointName,
    presentation: 'drawer',
    groups: formGroups,
    initial: newPoint,
  })
  const rowActions = (point: PatrolPoint) => [
    form.editAction(point),
    printAction(point),
    renew.row(point),
    remove.row(point),
  ]
  return (
    <>
      <ListPage
        list={patrolPoints.list}
        itemName="巡更点位"
        columns={columns}
        barFilters={['areaId', 'state']}
        keywordPlaceholder="名称、编码、NFC 或蓝牙编号"
        import={project ? importPoints : undefined}
        importInput={{ projectCode: project }}
        export={exportPoints}
        primaryAction={form.addAction}
        rowActions={rowActions}
        batchActions={[
          {
            label: '打印二维码',
            needs: menu.point.permissions.label,
            acceptsAllMatching: true,
            run: chosen => printLabels(chosen.allMatching ? chosen.allMatching.filter : { ids: chosen.ids }),
          },
          renew.batch,
          remove.batch,
        ]}
        isDimmed={point => point.state === 'off'}
        drawer={{
          title: point => point.pointName,
          status: point => <ChoiceStatus choices={enabledState} value={point.state} />,
          loadCall: patrolPoints.get,
          actions: rowActions,
          historyEntity: 'patrolPoint',
        }}
      />
      {form.dialog}
    </>
  )
}
