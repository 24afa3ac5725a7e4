import { useState } from 'react'
import { displayYuan } from '#kit/domain/money.ts'
import { buildColumns } from '#kit/web/columns.tsx'
import type { DetailGroup } from '#kit/web/detail/detail-panel.tsx'
import { actionDialog } from '#kit/web/form/action-dialog.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { ChoiceStatus } from '#kit/web/status.tsx'
import { StoredImages } from '#kit/web/stored-images.tsx'
import { useLiveRefetch } from '#kit/web/use-live-refetch.ts'
import { readingState } from '../contract/choices.ts'
import { cameraReadings, checkReading, type CameraReading } from '../contract/reading.ts'
import { menu } from '../module.ts'

const pictureSize = 28
const liveReadings = { topic: 'parkCameras', kind: 'readings', pauseMs: 1000 }

const plateText = ({ plateNo }: CameraReading): string => plateNo ?? '无牌'

const columns = buildColumns(cameraReadings.list.output, [
  { key: 'plateNo', identity: true, width: 100, text: plateText, render: plateText },
  { key: 'readTime', width: 150 },
  { key: 'laneName', width: 110, grow: 1 },
  { key: 'way', hidePriority: 3 },
  { key: 'confidence', hidePriority: 2 },
  'state',
  { key: 'reason', width: 200, grow: 2, hidePriority: 1 },
  { key: 'isOffline', hidePriority: 4 },
  {
    key: 'picture',
    width: 64,
    text: row => (row.picture === undefined ? '' : '有'),
    render: row =>
      row.picture !== undefined && (
        <StoredImages fileKeys={[row.picture]} openOn="double" size={pictureSize} />
      ),
  },
])

const groups: readonly DetailGroup<CameraReading>[] = [
  { keys: ['readTime', 'laneName', 'cameraName', 'way', 'plateColor', 'confidence', 'reason'] },
  { title: '核对', keys: ['checkedPlate', 'operatorName'] },
  { title: '相机', keys: ['deviceTime', 'isOffline', 'recordKey'] },
  { title: '抓拍', keys: ['picture', 'pictureFault'] },
]

const views = [
  { id: '', name: '全部', filter: {} },
  { id: 'check', name: '待核对', filter: { state: ['toCheck'] } },
  { id: 'offline', name: '断网补报', filter: { isOffline: true } },
]

const CheckDialog = actionDialog({
  call: checkReading,
  title: (reading: CameraReading) => `核对「${plateText(reading)}」的车牌`,
  submitLabel: '确认车牌',
  keys: [{ key: 'plateNo', wide: true }],
  target: reading => ({ id: reading.id }),
  initial: ({ plateNo }) => (plateNo === undefined ? {} : { plateNo }),
  below: (_, { picture }) => picture !== undefined && <StoredImages fileKeys={[picture]} size={240} />,
  doneText: (_, { plateNo, isOpen, reason, due }) =>
    [
      `${plateNo} ${isOpen ? '已开闸' : '未放行'}：${reason}`,
      due > 0 ? `待收 ${displayYuan(due)} 元` : undefined,
    ]
      .filter(Boolean)
      .join('；'),
})

/** 识别记录: of the last seven days, unless another time is chosen. */
export function Readings() {
  const [checked, setChecked] = useState<CameraReading>()
  useLiveRefetch(liveReadings, [cameraReadings.list])
  const actions = (reading: CameraReading) => [
    reading.state === 'toCheck' && {
      label: '核对车牌',
      needs: menu.reading.permissions.check,
      run: () => setChecked(reading),
    },
  ]
  return (
    <>
      <ListPage
        embedded
        pageSize={20}
        list={cameraReadings.list}
        itemName="识别记录"
        keywordPlaceholder="车牌"
        columns={columns}
        filters={['plateNo', ...cameraReadings.filters]}
        barFilters={['laneId', 'readTime', 'state']}
        views={views}
        settingsKey="parking-cameras/readings"
        rowActions={actions}
        drawer={{
          title: plateText,
          status: reading => <ChoiceStatus choices={readingState} value={reading.state} />,
          groups,
          actions,
        }}
      />
      {checked && <CheckDialog record={checked} onClose={() => setChecked(undefined)} />}
    </>
  )
}
