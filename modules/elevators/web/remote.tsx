import { useState } from 'react'
import { buildColumns } from '#kit/web/columns.tsx'
import { actionDialog } from '#kit/web/form/action-dialog.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { useLiveRefetch } from '#kit/web/use-live-refetch.ts'
import { useProject } from '#modules/estates/web/public.tsx'
import { elevatorCommands, sendElevatorCommand } from '../contract/remote.ts'
import { menu } from '../module.ts'
import { OneFloorSelect } from './floor-select.tsx'

const columns = buildColumns(elevatorCommands.list.output, [
  { key: 'createTime', title: '时间', identity: true },
  { key: 'elevatorName', width: 140, grow: 1 },
  'action',
  'floor',
  { key: 'seconds', hidePriority: 3 },
  { key: 'operatorName', hidePriority: 1 },
  { key: 'reason', width: 160, grow: 2, hidePriority: 1 },
  'state',
  { key: 'failure', width: 160, grow: 1, hidePriority: 2 },
])

const liveCommands = { topic: 'elevatorCommands', kind: 'elevatorCommand', pauseMs: 300 }

const isCall = ({ action }: { readonly action?: string }): boolean => action !== 'releaseFloor'

const CallDialog = actionDialog({
  call: sendElevatorCommand,
  title: () => '远程呼梯',
  submitLabel: '下发',
  keys: [
    { key: 'elevatorId', deriveValues: () => ({ floor: undefined }) },
    { key: 'action', help: '呼梯：电梯开到该层；开放楼层：限时不用凭证可到' },
    { key: 'floor', control: OneFloorSelect },
    { key: 'seconds', isHidden: isCall },
    { key: 'reason', wide: true },
  ],
  target: () => ({}),
  initial: () => ({ action: 'callLift' as const }),
  context: (project: { readonly projectCode: string | undefined }) => project,
  doneText: () => '已下发，结果见列表',
})

/** 远程梯控: calls a lift from afar, and shows what became of it. */
export default function RemotePage() {
  const [isOpen, setOpen] = useState(false)
  const projectCode = useProject()
  useLiveRefetch(liveCommands, [elevatorCommands.list])
  return (
    <>
      <ListPage
        list={elevatorCommands.list}
        itemName="远程梯控记录"
        columns={columns}
        filters={elevatorCommands.filters}
        barFilters={['elevatorId', 'action', 'state']}
        keywordPlaceholder="操作人"
        settingsKey="elevators/remote"
        primaryAction={{
          label: '远程呼梯',
          needs: menu.remote.permissions.send,
          run: () => setOpen(true),
        }}
      />
      {isOpen && <CallDialog record={{ projectCode }} onClose={() => setOpen(false)} />}
    </>
  )
}
