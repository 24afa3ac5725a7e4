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

const toTask = (t: Row): Task => ({
  // What waits here waits for the machine, not for us.
  id: t.id,
  title: t.title,
  state: t.state,
  tone: t.state === 'waiting' ? 'doing' : (taskState.rows[t.state][2] ?? 'open'),
  label: t.state === 'waiting' ? '排队中' : labelOf(taskState, t.state),
  phase: phases[t.state],
  done: t.done,
  total: t.total,
  success: t.success,
  fail: t.fail,
  skipped: t.skipped,
  message: t.message,
  note: t.note,
  faults: t.summary ?? [],
  hasResult: t.resultFile !== undefined,
  hasFaults: t.faultFile !== undefined,
  startedAt: t.startTime,
  endedAt: t.endTime,
  until: t.expireTime,
  canRetry: t.state === 'failed' || t.state === 'stopped',
})

const maxShown = 50

/** Those put away by 清空已完成; their results stay on the server for the seven days. */
const dismissedKey = (): string => personalKey('tasks.away')
const noTasks: readonly number[] = []

export const tasks: Tasks = {
  list: async signal => {
    const { rows } = await send(
      listTasks,
      { page: 1, size: maxShown },
      { project: 0, quiet: true, ...(signal ? { signal } : {}) },
    )
    const away = new Set(readStored(dismissedKey(), noTasks))
    return rows.map(toTask).filter(t => !away.has(t.id) || t.phase === 'waiting' || t.phase === 'running')
  },
  stop: id => send(cancelTask, { id }),
  retry: id => send(retryTask, { id }),
  download: (id, which) => download(which === 'result' ? downloadTaskResult : downloadTaskFaults, { id }),
  clear: async () => {
    const ended = (await tasks.list())
      .filter(t => t.phase !== 'waiting' && t.phase !== 'running')
      .map(t => t.id)
    saveStored(dismissedKey(), [...ended, ...readStored(dismissedKey(), noTasks)].slice(0, 200))
  },
}
