import { useState } from 'react'
import { buildColumns } from '#kit/web/columns.tsx'
import { defineFormGroups } from '#kit/web/form/form-fields.tsx'
import type { DetailGroup } from '#kit/web/detail/detail-panel.tsx'
import { useEdit } from '#kit/web/form/use-edit.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { createReasonAction } from '#kit/web/record-actions.ts'
import { usePermission } from '#kit/web/session.ts'
import { ChoiceStatus, Status } from '#kit/web/status.tsx'
import { enabledState } from '#modules/estates/contract/estate.ts'
import { parkCamera, parkCameras, type ParkCamera } from '../contract/camera.ts'
import { menu } from '../module.ts'
import { CameraKeyDialog, keyAction, makeKey, type NewKey } from './camera-key.tsx'

const onlineText = ({ isOnline, lastSeen }: ParkCamera): string => {
  if (isOnline) return '在线'
  return lastSeen === undefined ? '未连接' : '离线'
}

const Online = ({ row }: { readonly row: ParkCamera }) => (
  <Status tone={row.isOnline ? 'done' : 'off'}>{onlineText(row)}</Status>
)

const columns = buildColumns(parkCameras.list.output, [
  { key: 'cameraName', identity: true, width: 130, grow: 1 },
  { key: 'laneName', width: 120 },
  { key: 'serialNo', width: 130, hidePriority: 2 },
  { key: 'maker', hidePriority: 3 },
  { key: 'isOnline', width: 88, text: onlineText, render: row => <Online row={row} /> },
  { key: 'lastSeen', width: 150, hidePriority: 3 },
  { key: 'fault', width: 180, grow: 1, hidePriority: 1 },
  'state',
])

const formGroups = defineFormGroups([
  {
    keys: [
      'cameraName',
      'serialNo',
      'laneId',
      'way',
      'maker',
      'authMode',
      'opensBarrier',
      'state',
      { key: 'remark', wide: true },
    ],
  },
])

const groups: readonly DetailGroup<ParkCamera>[] = [
  { keys: ['laneName', 'way', 'opensBarrier', 'serialNo', 'maker', 'authMode', 'keyTime', 'remark'] },
  { title: '运行', keys: [{ key: 'isOnline', render: onlineText }, 'lastSeen', 'clockDiff', 'fault'] },
]

const removal = createReasonAction<ParkCamera>(parkCameras.delete, {
  unit: '台相机',
  nameOf: row => row.cameraName,
  consequences: ['相机随即不能上报；识别记录保留'],
  reasonPresets: ['录入有误', '相机更换', '车道拆除'],
})

/** 相机: what reads plates at the lanes, and whether it is there. */
export function Cameras() {
  const hasPermission = usePermission()
  const [newKey, setNewKey] = useState<NewKey>()
  const form = useEdit({
    itemName: '相机',
    add: parkCameras.add,
    edit: parkCameras.edit,
    load: parkCameras.get,
    isRowComplete: true,
    nameOf: (row: ParkCamera) => row.cameraName,
    groups: formGroups,
    presentation: 'dialog',
    onSaved: (saved: ParkCamera) => {
      if (saved.keyTime === undefined && hasPermission(menu.camera.permissions.key)) {
        void makeKey(saved, setNewKey)
      }
    },
  })
  const rowActions = (row: ParkCamera) => [form.editAction(row), keyAction(row, setNewKey), removal.row(row)]
  return (
    <>
      <ListPage
        embedded
        list={parkCameras.list}
        itemName="相机"
        columns={columns}
        filters={parkCameras.filters}
        barFilters={['laneId', 'state']}
        keywordPlaceholder="名称、序列号"
        settingsKey="parking-cameras/cameras"
        primaryAction={form.addAction}
        rowActions={rowActions}
        isDimmed={row => row.state === 'off'}
        drawer={{
          title: row => row.cameraName,
          status: row => <ChoiceStatus choices={enabledState} value={row.state} />,
          groups,
          historyEntity: parkCamera.name,
          actions: rowActions,
        }}
      />
      {form.dialog}
      {newKey && <CameraKeyDialog newKey={newKey} onClose={() => setNewKey(undefined)} />}
    </>
  )
}
