import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { decodeResponse } from '#kit/contract/wire.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { isLiveConnected, onLiveMessage, sendLive } from '#kit/web/live.ts'
import { invalidate } from '#kit/web/query.ts'
import { send } from '#kit/web/send.ts'
import { toast } from '#kit/web/toast.ts'
import { cancelRemoteTasks, getRemoteTask, sendRemoteTask, type RemoteTask } from '../contract/remote-task.ts'
import type { RemoteCommand } from '../contract/remote-command.ts'
import { isEnded, stateTexts, type CommandState } from './command-state.ts'
import { commandMessage, nextTaskNo, readTaskResult, type CommandRequest } from './remote-message.ts'

/** A command that this page has sent, and what has become of it. */
export interface RunningCommand {
  readonly taskNo: string
  readonly request: CommandRequest
  /** Once the server has it. */
  readonly taskId?: Id
  readonly state: CommandState
  readonly reason?: string | undefined
  /** What a program wrote, or what the device answered. */
  readonly output?: string | undefined
  /** Rows of a listing, as JSON. */
  readonly rows?: string | undefined
  readonly progress?: { readonly done: number; readonly total: number }
}

const store = createStore<{ readonly [taskNo: string]: RunningCommand }>(() => ({}))

const listings: ReadonlySet<RemoteCommand> = new Set(['listProcesses', 'listServices', 'listDirectory'])
const pollMs = 2000
const answerTimeoutMs = 30_000
const noAnswer = '服务器未响应，请在「远程任务」中查看结果'
/** Kept on the page after they have ended; the server keeps them all. */
const maxEndedCommands = 200

const readCommand = (taskNo: string): RunningCommand | undefined => store.getState()[taskNo]

/** A result that this page shows as a toast: listings show it where they stand. */
function announceEnd({ request, state, reason, output }: RunningCommand, isText: boolean): void {
  if (listings.has(request.command)) return
  const target = request.device?.name ?? request.gateway.name
  if (state !== 'done') {
    toast.error(`「${target}」${stateTexts[state][1]}${reason ? `：${reason}` : ''}`)
  } else if (isText && output) {
    toast.success(output.length > 300 ? `${output.slice(0, 300)}…` : output)
  } else {
    toast.success(stateTexts.done[1])
  }
}

function dropOldest(): void {
  const ended = Object.values(store.getState()).filter(command => isEnded(command.state))
  const dropped = new Set(ended.slice(0, -maxEndedCommands).map(command => command.taskNo))
  if (!dropped.size) return
  store.setState(
    Object.fromEntries(Object.entries(store.getState()).filter(([taskNo]) => !dropped.has(taskNo))),
    true,
  )
}

/** What has ended stays as it is: a result may be heard and read as well. */
function update(taskNo: string, change: Partial<RunningCommand>, isText = false): void {
  const command = readCommand(taskNo)
  if (!command || isEnded(command.state)) return
  const next = { ...command, ...change }
  store.setState({ [taskNo]: next })
  if (isEnded(next.state)) {
    announceEnd(next, isText)
    dropOldest()
    void invalidate(['remoteTask'])
  }
}

const changeOf = (task: Pick<RemoteTask, 'id' | 'state' | 'reason' | 'progressDone' | 'progressTotal'>) => ({
  taskId: task.id,
  state: task.state,
  reason: task.reason,
  ...(task.progressTotal ? { progress: { done: task.progressDone ?? 0, total: task.progressTotal } } : {}),
})

/** Asks what has become of a task, with its output once it has ended. */
async function readTask(taskNo: string): Promise<void> {
  const command = readCommand(taskNo)
  if (!command?.taskId || isEnded(command.state)) return
  const task = await send(getRemoteTask, { id: command.taskId }, { quiet: true }).catch(() => undefined)
  if (!task) return
  update(
    taskNo,
    { ...changeOf(task), output: task.output, rows: task.rows },
    command.request.command === 'runShell',
  )
}

/** A result arrives on the live connection; asking again covers what is lost there. */
function poll(taskNo: string): void {
  setTimeout(() => {
    void readTask(taskNo).then(() => {
      const command = readCommand(taskNo)
      if (command && !isEnded(command.state)) {
        poll(taskNo)
      }
    })
  }, pollMs)
}

function accept(taskNo: string, [task]: readonly RemoteTask[]): void {
  const command = readCommand(taskNo)
  if (!command || command.taskId) return
  update(taskNo, changeOf(defined(task)))
  void invalidate(['remoteTask'])
  poll(taskNo)
}

const refuse = (taskNo: string, reason: string): void => update(taskNo, { state: 'failed', reason })

async function sendByHttp({ taskNo, request }: RunningCommand): Promise<void> {
  const { gateway, device, command, data, push, fileId, isConfirmed = false } = request
  try {
    const tasks = await send(
      sendRemoteTask,
      {
        ...(device ? { deviceIds: [String(device.id)] } : { gatewayIds: [String(gateway.id)] }),
        cmdType: command,
        confirm: isConfirmed,
        taskNo,
        ...(data === undefined ? {} : { cmdData: data }),
        ...(fileId === undefined ? {} : { fileId }),
        ...push,
      },
      { quiet: true, uuid: taskNo },
    )
    accept(taskNo, tasks)
  } catch (error) {
    refuse(taskNo, error instanceof Error && error.message ? error.message : noAnswer)
  }
}

/**
 * Over the live connection, as specified; by HTTP while that is down. What was sent and not answered is sent
 * again when the connection is back: one task number is one task.
 */
function dispatch(command: RunningCommand): void {
  const { taskNo, request } = command
  if (request.fileId !== undefined || !isLiveConnected() || !sendLive(commandMessage(request, taskNo))) {
    void sendByHttp(command)
    return
  }
  setTimeout(() => {
    if (readCommand(taskNo)?.state === 'sending') {
      refuse(taskNo, noAnswer)
    }
  }, answerTimeoutMs)
}

function receiveAnswer(data: Readonly<Record<string, unknown>>): void {
  const taskNo = String(data.taskNo ?? '')
  if (readCommand(taskNo)?.state !== 'sending') return
  try {
    accept(
      taskNo,
      decodeResponse(sendRemoteTask, {
        Code: Number(data.Code),
        Message: String(data.Message ?? ''),
        Data: data.Data ?? null,
      }),
    )
  } catch (error) {
    refuse(taskNo, error instanceof Error ? error.message : noAnswer)
  }
}

/** RMT-3: results reach only the sender, on all pages; only the page that sent it holds the command. */
function receiveResult(data: Readonly<Record<string, unknown>>): void {
  const result = readTaskResult(data)
  const command = result && readCommand(result.taskNo)
  if (!command) return
  const { taskNo, state, reason, output, isText } = result
  if (listings.has(command.request.command)) {
    // The record says too whether all rows are there; who may not read it has those of the message.
    void readTask(taskNo).then(() => update(taskNo, { state, reason, rows: output }))
  } else {
    update(taskNo, { state, reason, output }, isText)
  }
}

function receiveProgress({ taskNo, done, total }: Readonly<Record<string, unknown>>): void {
  if (typeof taskNo === 'string' && typeof done === 'number' && typeof total === 'number') {
    update(taskNo, { progress: { done, total }, state: 'received' })
  }
}

function resendUnanswered(): void {
  for (const { taskNo, request, state } of Object.values(store.getState())) {
    if (state === 'sending' && request.fileId === undefined) {
      sendLive(commandMessage(request, taskNo))
    }
  }
}

let isListening = false

/** Subscribes to results, once for the life of the page (0§4). */
function listen(): void {
  if (isListening) return
  isListening = true
  onLiveMessage('TASK', receiveAnswer)
  onLiveMessage('TASK_RESULT', receiveResult)
  onLiveMessage('TASK_PROGRESS', receiveProgress)
  onLiveMessage('ready', resendUnanswered)
}

/** Sends a command; returns the number by which it is followed. */
export function startCommand(request: CommandRequest): string {
  listen()
  const taskNo = nextTaskNo()
  const command: RunningCommand = { taskNo, request, state: 'sending' }
  store.setState({ [taskNo]: command })
  dispatch(command)
  return taskNo
}

/** What the site has started it finishes without a request, and reports the result. */
export async function cancelCommand({ taskId }: RunningCommand): Promise<void> {
  if (taskId === undefined) return
  const { fail, rows } = await send(cancelRemoteTasks, { ids: [String(taskId)] })
  if (fail) {
    toast.warning(rows?.[0]?.reason ?? '任务已结束，无法取消')
  } else {
    toast.success('已请求取消，等待设备确认')
  }
}

export const useRunningCommand = (taskNo: string | undefined): RunningCommand | undefined =>
  useStore(store, commands => (taskNo === undefined ? undefined : commands[taskNo]))

export const useRunningCommands = (taskNos: readonly string[]): readonly RunningCommand[] => {
  const commands = useStore(store)
  return taskNos.flatMap(taskNo => commands[taskNo] ?? [])
}

/** Resolves when a command has ended. */
export function waitForEnd(taskNo: string): Promise<RunningCommand> {
  return new Promise(resolve => {
    const check = (): boolean => {
      const command = readCommand(taskNo)
      if (!command || !isEnded(command.state)) return false
      resolve(command)
      return true
    }
    if (check()) return
    const unsubscribe = store.subscribe(() => {
      if (check()) {
        unsubscribe()
      }
    })
  })
}
