/**
 * Capturing a fingerprint at the operator's computer (0§4): what is sent to the local service, and what its
 * answers mean. The dialog holds the state and the connection; every decision is made here.
 */

export type ServiceCommand = 'info' | 'open' | 'close' | 'register' | 'getstatus' | 'cancelregister'

/** An answer of the local service; several may follow one `register`. */
export interface ServiceAnswer {
  readonly command: ServiceCommand
  /** 10000, or a code of 0§8. */
  readonly code: number
  readonly deviceSn?: string
  /** How many presses the reader needs (`info`). */
  readonly pressCount?: number
  /** Presses that were good so far (`register`). */
  readonly pressed?: number
  /** The enrolled finger: capture is over. */
  readonly template?: string
}

export type CapturePhase = 'connecting' | 'opening' | 'pressing' | 'captured' | 'failed'

export interface CaptureState {
  readonly phase: CapturePhase
  readonly pressesNeeded: number
  readonly pressed: number
  /** The text beside the progress: what is wrong, or what to do. */
  readonly notice?: string
  readonly deviceSn?: string
  readonly template?: string
  /** The command whose answer the next one waits for. */
  readonly awaited?: 'info' | 'open'
  /** Faults in a row that restarted the capture. */
  readonly restarts: number
}

export type CaptureEvent =
  | { readonly kind: 'connected' }
  | { readonly kind: 'disconnected' }
  | { readonly kind: 'answered'; readonly answer: ServiceAnswer }
  | { readonly kind: 'fingerChanged' }
  | { readonly kind: 'retried' }
  /** No answer to the awaited command within `answerTimeoutMs`. */
  | { readonly kind: 'timedOut' }

/** The next state, the commands to send in order, and whether to reconnect. */
export interface CaptureStep {
  readonly state: CaptureState
  readonly send?: readonly ServiceCommand[]
  readonly reconnect?: true
}

/** 0§9: until the service says its own number. */
export const defaultPresses = 3

const successCode = 10000
/** How long the service may take to answer; a reader that is opened takes some seconds. */
export const answerTimeoutMs = 10_000
/** The reader is connected already: asked to open, it is in use. */
const connectedCode = 10017
const closeFailedCode = 10008
/** Not a fault: the finger must stay on the reader. */
const keepPressingCode = 10010
/** A reader that never gives a good answer is not asked for ever. */
const maxRestarts = 5

export const initialCapture: CaptureState = {
  phase: 'connecting',
  pressesNeeded: defaultPresses,
  pressed: 0,
  restarts: 0,
}

const noticeByCode: Readonly<Record<number, string>> = {
  10001: '连接失败，请检查指纹仪是否接好',
  10002: '指纹服务未初始化，请重新启动指纹服务',
  10003: '参数或格式错误，请升级指纹服务',
  10004: '模式错误，请重新启动指纹服务',
  10005: '指纹仪不支持此操作，请更换指纹仪',
  10006: '指纹库初始化失败，请重新安装指纹服务',
  10007: '打开设备失败，请检查指纹仪是否接好',
  10008: '关闭设备失败，请重新插拔指纹仪',
  10009: '检测到假手指，请用真实手指按压',
  10010: '请继续按压',
  10011: '采集失败，请重新按压',
  10012: '模板导出失败，请刷新后重试',
  10013: '指纹服务正在使用 WebSocket 连接，请稍候或刷新页面',
  10014: '设备未打开或连接标识不一致，请重试',
  10016: '与上次登记的手指不一致，请按同一个手指',
  10017: '指纹仪已有 WebSocket 连接，请关闭其他采集页面后重试',
  10018: '设备异常，请重新插拔指纹仪',
}

/** 0§5: another page, or one that ended badly, still has the device open. */
const inUseNotice = '设备未正确关闭，请等待或刷新页面'

export const noticeOf = (code: number, command?: ServiceCommand): string =>
  command === 'open' && code === connectedCode
    ? inUseNotice
    : (noticeByCode[code] ?? `指纹服务返回未知代码 ${code}，请重试`)

/** Faults that another press cannot mend: the clerk mends the cause and retries. */
const needsAttention = new Set([10001, 10002, 10003, 10004, 10005, 10006, 10007, 10008, 10013, 10017, 10018])

/** 0§4: each command waits for the answer to the one before: the info, the device, the registration. */
const restarted = (state: CaptureState, notice?: string): CaptureState => ({
  phase: 'opening',
  awaited: 'info',
  pressesNeeded: defaultPresses,
  pressed: 0,
  restarts: state.restarts + (notice === undefined ? 0 : 1),
  ...(notice !== undefined && { notice }),
  ...(state.deviceSn !== undefined && { deviceSn: state.deviceSn }),
})

/** 0§4: on a fault the counter of presses goes back to 3 and the capture starts again. */
function afterFault(state: CaptureState, { command, code }: ServiceAnswer): CaptureStep {
  // The device is closed before it is opened again; that it was not open is no fault.
  const isClosing = command === 'close' || command === 'cancelregister'
  if (isClosing && code !== closeFailedCode) return { state }
  const notice = noticeOf(code, command)
  const next = restarted(state, notice)
  return needsAttention.has(code) || next.restarts > maxRestarts
    ? failed(next, notice)
    : { state: next, send: ['close', 'info'] }
}

/** The clerk mends the cause and retries. */
function failed({ awaited: _awaited, ...state }: CaptureState, notice: string): CaptureStep {
  return { state: { ...state, phase: 'failed', notice }, send: ['close'] }
}

function afterSuccess(state: CaptureState, answer: ServiceAnswer): CaptureStep {
  switch (answer.command) {
    case 'info':
      return state.awaited === 'info' ? afterInfo(state, answer) : { state }
    case 'open': {
      if (state.awaited !== 'open') return { state }
      const { awaited: _awaited, ...opened } = state
      return { state: opened, send: ['register'] }
    }
    case 'register':
      return afterRegister(state, answer)
    default:
      return { state }
  }
}

const afterInfo = (state: CaptureState, { pressCount, deviceSn }: ServiceAnswer): CaptureStep => ({
  state: {
    ...state,
    awaited: 'open',
    ...(pressCount !== undefined && { pressesNeeded: pressCount }),
    ...(deviceSn !== undefined && { deviceSn }),
  },
  send: ['open'],
})

function afterRegister(state: CaptureState, { template, pressed = 0, deviceSn }: ServiceAnswer): CaptureStep {
  // The error is shown until a press is good.
  if (template === undefined && pressed === 0) return { state: { ...state, phase: 'pressing', pressed } }
  const { notice: _notice, ...rest } = state
  if (template === undefined) return { state: { ...rest, phase: 'pressing', pressed } }
  return {
    state: {
      ...rest,
      phase: 'captured',
      pressed: state.pressesNeeded,
      template,
      restarts: 0,
      ...(deviceSn !== undefined && { deviceSn }),
    },
    send: ['close'],
  }
}

function afterAnswer(state: CaptureState, answer: ServiceAnswer): CaptureStep {
  // What still comes in after the end belongs to a capture that is over.
  const isOver = state.phase === 'captured' || state.phase === 'failed'
  // But for a device that stays open: the next finger would find it in use.
  if (state.phase === 'captured' && answer.code === closeFailedCode)
    return { state: { ...state, notice: noticeOf(closeFailedCode) } }
  if (isOver) return { state }
  if (answer.code === successCode) return afterSuccess(state, answer)
  if (answer.code === keepPressingCode)
    return { state: { ...state, phase: 'pressing', notice: noticeOf(keepPressingCode) } }
  return afterFault(state, answer)
}

/** One step of the capture (0§4). */
export function advanceCapture(state: CaptureState, event: CaptureEvent): CaptureStep {
  switch (event.kind) {
    case 'connected':
      return { state: { ...state, phase: 'opening', awaited: 'info' }, send: ['info'] }
    case 'disconnected':
      return state.phase === 'captured'
        ? { state }
        : {
            state: failed(restarted(state), '未连接到指纹服务，请在本机启动指纹服务后重试').state,
          }
    case 'fingerChanged':
      if (state.phase === 'connecting') return { state }
      if (state.phase === 'failed') return { state: initialCapture, reconnect: true }
      return {
        state: { ...restarted(state), restarts: 0 },
        send: ['cancelregister', 'close', 'info'],
      }
    case 'retried':
      return { state: initialCapture, reconnect: true }
    case 'timedOut':
      return state.awaited ? failed(state, '指纹服务未响应，请重新启动指纹服务后重试') : { state }
    case 'answered':
      return afterAnswer(state, event.answer)
  }
}

const commandNames: readonly string[] = ['info', 'open', 'close', 'register', 'getstatus', 'cancelregister']

const isCommand = (value: unknown): value is ServiceCommand =>
  typeof value === 'string' && commandNames.includes(value)

/** An answer as the service sends it: JSON of `cmd`, `code` and `data`; nothing where it is none. */
export function parseAnswer(text: string): ServiceAnswer | undefined {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    return undefined
  }
  if (typeof parsed !== 'object' || parsed === null) return undefined
  const { cmd, code, data } = parsed as { cmd?: unknown; code?: unknown; data?: unknown }
  if (!isCommand(cmd) || typeof code !== 'number') return undefined
  const details: Readonly<Record<string, unknown>> =
    typeof data === 'object' && data !== null ? { ...data } : {}
  const { deviceSn, pressCount, pressed, template } = details
  return {
    command: cmd,
    code,
    ...(typeof deviceSn === 'string' && { deviceSn }),
    ...(typeof pressCount === 'number' && pressCount > 0 && { pressCount }),
    ...(typeof pressed === 'number' && { pressed }),
    ...(typeof template === 'string' && template !== '' && { template }),
  }
}
