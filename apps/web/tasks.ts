import type { Id } from '#kit/domain/id.ts'
import { labelOf } from '#kit/contract/field.ts'
import { saveStored, readStored } from '#kit/web/browser-store.ts'
import { download, send } from '#kit/web/send.ts'
import { personalKey } from '#kit/web/session.ts'
import type { Task, Tasks } from '#kit/web/shell/host.ts'
import {
  cancelTask,
  listTasks,
  retryTask,
  downloadTaskFaults,
  downloadTaskResult,
  taskState,
  type Task as Row,
} from '#modules/system/contract/task.ts'

const phases = {
  waiting: 'waiting',
  running: 'running',
  done: 'done',
  failed: 'trouble',
  partly: 'trouble',
  stopped: 'ended',
} as const satisfies Record<keyof typeof taskState.rows, Task['phase']>

const toTask = (task: Row): Task => ({
  // A task that waits, waits for the machine and not for the person.
  id: task.id,
  title: task.title,
  state: task.state,
  tone: task.state === 'waiting' ? 'doing' : (taskState.rows[task.state][2] ?? 'open'),
  label: task.state === 'waiting' ? '排队中' : labelOf(taskState, task.state),
  phase: phases[task.state],
  done: task.done,
  total: task.total,
  success: task.success,
  fail: task.fail,
  skipped: task.skipped,
  message: task.message,
  note: task.note,
  faults: task.summary ?? [],
  hasResult: task.resultFile !== undefined,
  hasFaults: task.faultFile !== undefined,
  startedAt: task.startTime,
  endedAt: task.endTime,
  until: task.expireTime,
  canRetry: task.state === 'failed' || task.state === 'stopped',
})

const maxShown = 50

/** Tasks hidden by 清空已完成; their results stay on the server for seven days. */
const dismissedKey = (): string => personalKey('tasks.away')
const noTasks: readonly Id[] = []

export const tasks: Tasks = {
  list: async signal => {
    const { rows } = await send(
      listTasks,
      { page: 1, size: maxShown },
      { project: 0, quiet: true, ...(signal ? { signal } : {}) },
    )
    const dismissed = new Set(readStored(dismissedKey(), noTasks))
    return rows
      .map(toTask)
      .filter(task => !dismissed.has(task.id) || task.phase === 'waiting' || task.phase === 'running')
  },
  stop: id => send(cancelTask, { id }),
  retry: id => send(retryTask, { id }),
  download: (id, file) => download(file === 'result' ? downloadTaskResult : downloadTaskFaults, { id }),
  clear: async () => {
    const ended = (await tasks.list())
      .filter(task => task.phase !== 'waiting' && task.phase !== 'running')
      .map(task => task.id)
    saveStored(dismissedKey(), [...ended, ...readStored(dismissedKey(), noTasks)].slice(0, 200))
  },
}
