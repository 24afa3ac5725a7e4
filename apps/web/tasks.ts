import { labelOf } from '#kit/contract/field.ts'
import { keep, kept } from '#kit/web/keep.ts'
import { download, send } from '#kit/web/send.ts'
import { mine } from '#kit/web/session.ts'
import type { Task, Tasks } from '#kit/web/shell/host.ts'
import {
  cancelTask,
  listTasks,
  retryTask,
  taskFaults,
  taskResult,
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

const asTask = (t: Row): Task => ({
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
  began: t.startTime,
  ended: t.endTime,
  until: t.expireTime,
  mayRetry: t.state === 'failed' || t.state === 'stopped',
})

const shown = 50

/** Those put away by 清空已完成; their results stay on the server for the seven days. */
const awayKey = (): string => mine('tasks.away')
const none: readonly number[] = []

export const tasks: Tasks = {
  list: async signal => {
    const { rows } = await send(
      listTasks,
      { page: 1, size: shown },
      { project: 0, quiet: true, ...(signal ? { signal } : {}) },
    )
    const away = new Set(kept(awayKey(), none))
    return rows.map(asTask).filter(t => !away.has(t.id) || t.phase === 'waiting' || t.phase === 'running')
  },
  stop: id => send(cancelTask, { id }),
  retry: id => send(retryTask, { id }),
  download: (id, which) => download(which === 'result' ? taskResult : taskFaults, { id }),
  clear: async () => {
    const ended = (await tasks.list())
      .filter(t => t.phase !== 'waiting' && t.phase !== 'running')
      .map(t => t.id)
    keep(awayKey(), [...ended, ...kept(awayKey(), none)].slice(0, 200))
  },
}
