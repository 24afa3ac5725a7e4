import { relativeText } from '#kit/web/date-format.ts'
import { useLiveMessage } from '#kit/web/live.ts'
import { invalidateCalls, useCall } from '#kit/web/query.ts'
import { sendAndInvalidate } from '#kit/web/record-actions.ts'
import { runAction } from '#kit/web/run-action.ts'
import { usePermission } from '#kit/web/session.ts'
import { ChoiceStatus } from '#kit/web/status.tsx'
import { toast } from '#kit/web/toast.ts'
import type { PushHistoryProps } from '#modules/files/web/public.actions.ts'
import { taskState } from '../contract/choices.ts'
import { pushPermissions } from '../contract/remote-command.ts'
import { listRemoteTasks, sendRemoteTask, type RemoteTask } from '../contract/remote-task.ts'
import { readPushText } from '../domain/push.ts'
import { menu } from '../module.ts'
import { latestPushes } from './latest-pushes.ts'
import './gateways.css'

const refetchTasks = (): void => void invalidateCalls(listRemoteTasks)

/** The same file under the same name into the same folder of the same target. */
async function pushAgain(task: RemoteTask, { file }: PushHistoryProps): Promise<void> {
  const push = readPushText(task.cmdData ?? '')
  if (!push) return
  const [sent] = await sendAndInvalidate(sendRemoteTask, {
    ...(task.deviceId ? { deviceIds: [String(task.deviceId)] } : { gatewayIds: [String(task.gatewayId)] }),
    cmdType: 'pushFile',
    fileId: file.id,
    action: push.action,
    fileName: push.name,
    directory: push.directory,
  })
  if (sent?.state === 'failed') {
    toast.error(sent.reason ?? '未下发')
  } else {
    toast.success('已下发推送')
  }
}

const hasFailed = ({ state }: RemoteTask): boolean => state === 'failed' || state === 'timedOut'

/** 推送记录: where a file was sent to, and what became of it (picture 08). */
export function PushHistory({ file }: PushHistoryProps) {
  const hasPermission = usePermission()
  const tasks = useCall(listRemoteTasks, { fileId: file.id, size: 50 }, { quiet: true })
  useLiveMessage('TASK_RESULT', refetchTasks)
  const pushes = latestPushes(tasks.data?.rows ?? [])
  const canPush = (task: RemoteTask): boolean => {
    const push = readPushText(task.cmdData ?? '')
    return (
      push !== undefined &&
      file.location !== undefined &&
      hasPermission(menu.command.permissions.send) &&
      hasPermission(pushPermissions[push.action])
    )
  }
  if (!pushes.length) return null
  return (
    <section className="file-section">
      <h3>推送记录</h3>
      <ul className="push-history">
        {pushes.map(task => (
          <li key={task.id}>
            <span className="push-history-target">
              {[task.gatewayName, task.gateNo, task.deviceName].filter(Boolean).join(' ')}
            </span>
            <ChoiceStatus choices={taskState} value={task.state} plain />
            <time>{relativeText(task.endTime ?? task.sendTime)}</time>
            {hasFailed(task) && canPush(task) && (
              <button
                type="button"
                className="linkish"
                onClick={() => void runAction(() => pushAgain(task, { file }))}
              >
                重推
              </button>
            )}
            {hasFailed(task) && task.reason && <small>{task.reason}</small>}
          </li>
        ))}
      </ul>
    </section>
  )
}
