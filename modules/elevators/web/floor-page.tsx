import { useState } from 'react'
import { buildColumns, withoutSorting } from '#kit/web/columns.tsx'
import { actionDialog } from '#kit/web/form/action-dialog.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { elevators, saveFloors, type Elevator } from '../contract/elevator.ts'
import { formatFloors } from '../contract/floors.ts'
import { menu } from '../module.ts'
import { FloorSelect } from './floor-select.tsx'

const textOf = (floors: readonly string[] | undefined): string => formatFloors(floors ?? []) || '--'

/** Floors that need a right or a home there. */
const controlledText = ({ floorList = [], publicFloors = [], closedFloors = [] }: Elevator): string =>
  textOf(floorList.filter(floor => !publicFloors.includes(floor) && !closedFloors.includes(floor)))

const publicText = (lift: Elevator): string => textOf(lift.publicFloors)
const closedText = (lift: Elevator): string => textOf(lift.closedFloors)

const columns = buildColumns(elevators.list.output, [
  { key: 'name', identity: true, width: 160, grow: 1 },
  { key: 'buildName', hidePriority: 1 },
  { key: 'publicFloors', width: 120, grow: 1, text: publicText, render: publicText },
  {
    key: 'floorList',
    title: '受控楼层',
    width: 160,
    grow: 2,
    text: controlledText,
    render: controlledText,
  },
  { key: 'closedFloors', width: 120, grow: 1, text: closedText, render: closedText },
  { key: 'deviceName', hidePriority: 2 },
  'state',
]).map(withoutSorting)

const FloorsDialog = actionDialog({
  call: saveFloors,
  title: (lift: Elevator) => `楼层控制「${lift.name}」`,
  submitLabel: '保存',
  keys: [
    { key: 'publicFloors', control: FloorSelect, wide: true },
    { key: 'closedFloors', control: FloorSelect, wide: true },
  ],
  target: ({ id, version }) => ({ id, version }),
  initial: ({ publicFloors = [], closedFloors = [] }) => ({ publicFloors, closedFloors }),
  context: ({ floorList }) => ({ floorList }),
  doneText: lift => `已保存「${lift.name}」的楼层控制`,
})

/** 楼层控制: which floors are for all who use a lift, and which for nobody. */
export default function FloorPage() {
  const [edited, setEdited] = useState<Elevator>()
  return (
    <>
      <ListPage
        list={elevators.list}
        itemName="电梯"
        columns={columns}
        filters={['buildCode', 'state']}
        barFilters={['buildCode', 'state']}
        settingsKey="elevators/floors"
        rowActions={lift => [
          { label: '设置', needs: menu.setting.permissions.edit, run: () => setEdited(lift) },
        ]}
      />
      {edited && <FloorsDialog record={edited} onClose={() => setEdited(undefined)} />}
    </>
  )
}
