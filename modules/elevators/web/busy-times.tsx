import { useState } from 'react'
import { labelOf } from '#kit/contract/field.ts'
import { buildColumns, withoutSorting } from '#kit/web/columns.tsx'
import { actionDialog } from '#kit/web/form/action-dialog.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { windowsText } from '#kit/domain/week-window.ts'
import { busyLimit } from '../contract/choices.ts'
import { elevators, saveBusyTimes, type Elevator } from '../contract/elevator.ts'
import { menu } from '../module.ts'

const busyText = ({ busyTimes = [] }: Elevator): string =>
  busyTimes.map(time => `${windowsText([time])} ${labelOf(busyLimit, time.limit)}`).join('；') || '--'

const columns = buildColumns(elevators.list.output, [
  { key: 'name', identity: true, width: 160, grow: 1 },
  { key: 'buildName', hidePriority: 1 },
  { key: 'busyTimes', width: 320, grow: 3, align: 'left', text: busyText, render: busyText },
  'state',
]).map(withoutSorting)

const BusyTimesDialog = actionDialog({
  call: saveBusyTimes,
  title: (lift: Elevator) => `繁忙时段「${lift.name}」`,
  submitLabel: '保存',
  keys: [
    {
      key: 'busyTimes',
      wide: true,
      help: '禁呼叫：不能呼梯；仅本层：只到本层与公共楼层；仅提示：照常并提示。不选星期为每天',
    },
  ],
  target: lift => ({ elevatorId: lift.id }),
  initial: lift => ({ busyTimes: lift.busyTimes ?? [] }),
  doneText: lift => `已保存「${lift.name}」的繁忙时段`,
  presentation: 'drawer',
})

/** 繁忙时段: when calls of a lift are limited (ELV-2). */
export function BusyTimes() {
  const [edited, setEdited] = useState<Elevator>()
  return (
    <>
      <ListPage
        embedded
        list={elevators.list}
        itemName="电梯"
        columns={columns}
        filters={['buildCode', 'state']}
        barFilters={['buildCode']}
        pageSize={15}
        settingsKey="elevators/busy-times"
        rowActions={lift => [
          { label: '设置', needs: menu.setting.permissions.edit, run: () => setEdited(lift) },
        ]}
      />
      {edited && <BusyTimesDialog record={edited} onClose={() => setEdited(undefined)} />}
    </>
  )
}
