import { useCallback, useEffect } from 'react'
import { sendAndInvalidate, toastResult } from '#kit/web/record-actions.ts'
import type { BatchAction } from '#kit/web/list/batch-bar.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { onLiveMessage } from '#kit/web/live.ts'
import { invalidateCalls } from '#kit/web/query.ts'
import { currentSender, hasPermission } from '#kit/web/session.ts'
import { ChoiceStatus } from '#kit/web/status.tsx'
import { taskState } from '../contract/choices.ts'
import { cancelRemoteTasks, listRemoteTasks, remoteTask, type RemoteTask } from '../contract/remote-task.ts'
import { taskText, taskTitle } from '../domain/push.ts'
import { menu } from '../module.ts'
import type { Subject } from './device-tabs.tsx'
import { taskColumns } from './task-columns.tsx'
import { TaskResult } from './task-result.tsx'

const views = [
  { id: '', name: '全部', filter: {} },
  { id: 'running', name: '执行中', filter: { state: ['sent', 'received'] } },
  { id: 'failed', name: '失败', filter: { state: ['failed', 'timedOut'] } },
  { id: 'dangerous', name: '危险指令', filter: { isDangerous: true } },
]

const isRunning = (row: RemoteTask): boolean => row.state === 'sent' || row.state === 'received'

const cancel = async (ids: readonly string[]): Promise<void> =>
  toastResult(await sendAndInvalidate(cancelRemoteTasks, { ids }), '已请求取消')

const cancelSelected: BatchAction<RemoteTask> = {
  label: '取消任务',
  needs: menu.command.permissions.send,
  run: selected => cancel(selected.ids),
}

/** The sender cancels a task, or who manages gateways; the server decides. */
function cancelRefusal(row: RemoteTask): string | undefined {
  if (!isRunning(row)) return '任务已结束'
  const isOwn = row.operatorId === currentSender().operatorId
  return isOwn || hasPermission(menu.gateway.permissions.edit)
    ? undefined
    : '只有下发人或网关管理人员可以取消该任务'
}

const cancelAction = (row: RemoteTask) => ({
  label: '取消任务',
  needs: menu.command.permissions.send,
  disabledReason: cancelRefusal(row),
  run: () => cancel([String(row.id)]),
})

const detailGroups = [
  {
    title: '任务',
    keys: [
      'taskNo',
      { key: 'cmdType', render: taskTitle },
      'gatewayName',
      'gateNo',
      'deviceName',
      'devNo',
      { key: 'cmdData', render: taskText },
    ] as const,
  },
  {
    title: '执行',
    keys: ['operatorName', 'sendTime', 'receiveTime', 'endTime', 'state', 'reason'] as const,
  },
]

const drawer = {
  title: (row: RemoteTask) => [taskTitle(row), row.deviceName ?? row.gatewayName].filter(Boolean).join(' · '),
  status: (row: RemoteTask) => <ChoiceStatus choices={taskState} value={row.state} />,
  groups: detailGroups,
  afterGroups: (row: RemoteTask) => <TaskResult key={row.state} id={row.id} />,
  historyEntity: remoteTask.name,
  actions: (row: RemoteTask) => [cancelAction(row)],
}

/** Remote tasks with their whole output (RMT-1). */
export function TaskList({ gatewayId, deviceId }: Subject) {
  const isEmbedded = gatewayId !== undefined || deviceId !== undefined
  const refetch = useCallback(() => void invalidateCalls(listRemoteTasks), [])
  useEffect(() => onLiveMessage('TASK_RESULT', refetch), [refetch])
  return (
    <ListPage
      embedded={isEmbedded}
      pageSize={20}
      list={listRemoteTasks}
      itemName="远程任务"
      columns={taskColumns.filter(column => !(gatewayId !== undefined && column.key === 'gatewayName'))}
      fixedFilter={{
        ...(gatewayId === undefined ? {} : { gatewayId: [String(gatewayId)] }),
        ...(deviceId === undefined ? {} : { deviceId: [String(deviceId)] }),
      }}
      filters={['cmdType', 'state', 'gatewayId', 'operatorId', 'sendTime', 'isDangerous'].filter(
        key => !(isEmbedded && key === 'gatewayId'),
      )}
      barFilters={['cmdType', 'state', 'sendTime']}
      views={views}
      settingsKey={isEmbedded ? 'devices/tasks' : 'devices/all-tasks'}
      rowActions={row => [cancelAction(row)]}
      batchActions={[cancelSelected]}
      drawer={drawer}
    />
  )
}

export default function TasksPage() {
  return <TaskList />
}
