import { useState } from 'react'
import { buildColumns } from '#kit/web/columns.tsx'
import { actionDialog } from '#kit/web/form/action-dialog.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { sendAndInvalidate } from '#kit/web/record-actions.ts'
import { toast } from '#kit/web/toast.ts'
import { useLiveRefetch } from '#kit/web/use-live-refetch.ts'
import {
  acknowledgeAlarm,
  elevatorAlarms,
  exportElevatorAlarms,
  resolveAlarm,
  type ElevatorAlarm,
} from '../contract/alarm.ts'
import { menu } from '../module.ts'
import { liveAlarms } from './live-alarms.ts'

/** A controller that is bound to no lift goes by its own name. */
const nameOf = ({ elevatorName, deviceName }: ElevatorAlarm): string =>
  elevatorName ?? `未绑定设备 ${deviceName ?? ''}`

const columns = buildColumns(elevatorAlarms.list.output, [
  { key: 'elevatorName', title: '电梯', identity: true, width: 140, grow: 1, render: nameOf, text: nameOf },
  'alarmTime',
  { key: 'floor', hidePriority: 1 },
  { key: 'deviceLocation', hiddenByDefault: true },
  { key: 'alarmCount', hidePriority: 3 },
  { key: 'rescuePhone', hidePriority: 2 },
  { key: 'acknowledgedBy', hidePriority: 1 },
  { key: 'acknowledgedTime', hidePriority: 3, wideOnly: true },
  { key: 'deviceEndTime', hidePriority: 4, wideOnly: true },
  { key: 'resolution', hidePriority: 2 },
  { key: 'resolvedTime', hidePriority: 3 },
  'state',
])

const views = [
  { id: '', name: '全部', filter: {} },
  { id: 'open', name: '未解除', filter: { state: ['open', 'acknowledged'] } },
  { id: 'resolved', name: '已解除', filter: { state: ['resolved'] } },
]

const ResolveDialog = actionDialog({
  call: resolveAlarm,
  title: (alarm: ElevatorAlarm) => `解除困人报警「${nameOf(alarm)}」`,
  submitLabel: '解除报警',
  keys: [
    { key: 'resolution', help: '已救出的电梯转为检修；误报与测试恢复报警前的状态' },
    { key: 'note', wide: true },
  ],
  target: alarm => ({ id: alarm.id }),
  doneText: alarm => `已解除「${nameOf(alarm)}」的困人报警`,
})

const acknowledge = async (alarm: ElevatorAlarm): Promise<void> => {
  await sendAndInvalidate(acknowledgeAlarm, { id: alarm.id })
  toast.success(`已确认「${nameOf(alarm)}」的困人报警`)
}

const detailKeys = [
  'elevatorName',
  'deviceName',
  'deviceLocation',
  'alarmTime',
  'lastTime',
  'alarmCount',
  'floor',
  'rescuePhone',
  'deviceEndTime',
  'acknowledgedBy',
  'acknowledgedTime',
  'resolution',
  'resolvedBy',
  'resolvedTime',
  'resolveNote',
] as const

/** 困人报警: acknowledged by a person, ended by what became of those inside. */
export default function AlarmsPage() {
  const [resolved, setResolved] = useState<ElevatorAlarm>()
  useLiveRefetch(liveAlarms, [elevatorAlarms.list])
  const needs = menu.alarm.permissions.handle
  const actions = (alarm: ElevatorAlarm) => [
    alarm.state === 'open' && { label: '确认', needs, run: () => acknowledge(alarm) },
    alarm.state === 'acknowledged' && { label: '解除', needs, run: () => setResolved(alarm) },
  ]
  return (
    <>
      <ListPage
        list={elevatorAlarms.list}
        export={exportElevatorAlarms}
        itemName="困人报警"
        columns={columns}
        views={views}
        filters={elevatorAlarms.filters}
        barFilters={['elevatorId', 'alarmTime']}
        keywordPlaceholder="电梯、设备名称"
        settingsKey="elevators/alarms"
        rowActions={actions}
        drawer={{
          title: nameOf,
          groups: [{ keys: detailKeys }],
          actions,
        }}
      />
      {resolved && <ResolveDialog record={resolved} onClose={() => setResolved(undefined)} />}
    </>
  )
}
