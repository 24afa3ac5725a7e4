import { expect, it } from 'vitest'
import {
  advanceCapture,
  initialCapture,
  noticeOf,
  parseAnswer,
  type CaptureEvent,
  type CaptureState,
  type ServiceAnswer,
} from './fingerprint-capture.ts'

const answered = (answer: ServiceAnswer): CaptureEvent => ({ kind: 'answered', answer })
const ok = 10000

/** The state after the events, with everything that was sent on the way. */
function replay(events: readonly CaptureEvent[], from: CaptureState = initialCapture) {
  const sent: string[] = []
  let state = from
  for (const event of events) {
    const step = advanceCapture(state, event)
    state = step.state
    sent.push(...(step.send ?? []), ...(step.reconnect ? ['reconnect'] : []))
  }
  return { state, sent }
}

const opened: CaptureEvent[] = [
  { kind: 'connected' },
  answered({ command: 'info', code: ok, deviceSn: 'ZK-1', pressCount: 4 }),
  answered({ command: 'open', code: ok }),
  answered({ command: 'register', code: ok }),
]

it('connects, asks for the reader, opens it and registers, each after the answer to the one before (0§4)', () => {
  const sentAfter = opened.map((_, i) => replay(opened.slice(0, i + 1)).sent)
  expect(sentAfter).toEqual([
    ['info'],
    ['info', 'open'],
    ['info', 'open', 'register'],
    ['info', 'open', 'register'],
  ])
  // A late answer to an earlier try sends nothing.
  expect(replay([{ kind: 'connected' }, answered({ command: 'open', code: ok })]).sent).toEqual(['info'])
})

it('a service that does not answer ends the capture: no template without its reader', () => {
  for (const count of [1, 2]) {
    const { state } = replay(opened.slice(0, count))
    const after = replay([{ kind: 'timedOut' }], state)
    expect(after.state).toMatchObject({ phase: 'failed', notice: expect.stringContaining('未响应') })
    expect(after.sent).toEqual(['close'])
  }
  // A finger may take its time.
  const { state } = replay(opened)
  expect(replay([{ kind: 'timedOut' }], state).state).toBe(state)
})

it('the reader says how many presses it needs', () => {
  const { state, sent } = replay(opened)
  expect(sent).toEqual(['info', 'open', 'register'])
  expect(state).toMatchObject({ phase: 'pressing', pressesNeeded: 4, pressed: 0, deviceSn: 'ZK-1' })
  expect(initialCapture.pressesNeeded).toBe(3)
})

it('shows each press; the template ends the capture and closes the device', () => {
  const { state, sent } = replay([
    ...opened,
    answered({ command: 'register', code: ok, pressed: 1 }),
    answered({ command: 'register', code: ok, pressed: 2 }),
    answered({ command: 'register', code: ok, template: 'QUJDREVGR0hJSktMTU5P', deviceSn: 'ZK-2' }),
  ])
  expect(state).toMatchObject({
    phase: 'captured',
    pressed: 4,
    template: 'QUJDREVGR0hJSktMTU5P',
    deviceSn: 'ZK-2',
  })
  expect(sent.at(-1)).toBe('close')
  // What comes in after it changes nothing.
  expect(replay([answered({ command: 'register', code: 10011 })], state).state).toBe(state)
  expect(replay([{ kind: 'disconnected' }], state).state).toBe(state)
})

it('goes back to three presses and starts again after a fault', () => {
  const { state } = replay([...opened, answered({ command: 'register', code: ok, pressed: 2 })])
  for (const code of [10009, 10011, 10012, 10014, 10016]) {
    const after = replay([answered({ command: 'register', code })], state)
    expect(after.state, String(code)).toMatchObject({
      phase: 'opening',
      pressesNeeded: 3,
      pressed: 0,
      notice: noticeOf(code),
    })
    expect(after.sent).toEqual(['close', 'info'])
    // The notice stays until the next press is good.
    const registering = replay([answered({ command: 'register', code: ok, pressed: 0 })], after.state).state
    expect(registering).toMatchObject({ phase: 'pressing', notice: noticeOf(code) })
    const pressed = replay([answered({ command: 'register', code: ok, pressed: 1 })], registering).state
    expect(pressed.notice).toBeUndefined()
  }
})

it('does not ask a reader for ever that never gives a good answer', () => {
  const faults = Array.from({ length: 6 }, () => answered({ command: 'register', code: 10011 }))
  expect(replay([...opened, ...faults.slice(1)]).state.phase).toBe('opening')
  expect(replay([...opened, ...faults]).state.phase).toBe('failed')
})

it('waits for the clerk where another press cannot help', () => {
  for (const code of [10001, 10002, 10003, 10004, 10005, 10006, 10007, 10013, 10017, 10018]) {
    const { state, sent } = replay([...opened, answered({ command: 'open', code })])
    expect(state, String(code)).toMatchObject({ phase: 'failed', notice: noticeOf(code, 'open') })
    expect(sent.at(-1)).toBe('close')
    expect(replay([{ kind: 'retried' }], state)).toEqual({ state: initialCapture, sent: ['reconnect'] })
  }
})

it('keeps the presses where the finger must stay on the reader', () => {
  const { state } = replay([...opened, answered({ command: 'register', code: ok, pressed: 1 })])
  const after = replay([answered({ command: 'register', code: 10010 })], state)
  expect(after.state).toMatchObject({ phase: 'pressing', pressed: 1, notice: '请继续按压' })
  expect(after.sent).toEqual([])
})

it('does not call it a fault that a device to be closed was not open', () => {
  const { state } = replay(opened)
  expect(replay([answered({ command: 'close', code: 10014 })], state).state).toBe(state)
  expect(replay([answered({ command: 'cancelregister', code: 10014 })], state).state).toBe(state)
})

it('says that a device could not be closed: the next finger would find it in use (0§8)', () => {
  const { state } = replay(opened)
  const after = replay([answered({ command: 'close', code: 10008 })], state)
  expect(after.state).toMatchObject({ phase: 'failed', notice: '关闭设备失败，请重新插拔指纹仪' })
  const captured = replay([answered({ command: 'register', code: ok, template: 'QUJD' })], state).state
  expect(replay([answered({ command: 'close', code: 10008 })], captured).state).toMatchObject({
    phase: 'captured',
    template: 'QUJD',
    notice: '关闭设备失败，请重新插拔指纹仪',
  })
})

it('a device in use is reported in the words of 0§5, a second connection in its own (0§8)', () => {
  const { state } = replay([...opened, answered({ command: 'open', code: 10017 })])
  expect(state).toMatchObject({ phase: 'failed', notice: '设备未正确关闭，请等待或刷新页面' })
  expect(noticeOf(10017)).toMatch(/已有 WebSocket 连接/)
})

it('closes and reopens the device for another finger', () => {
  const { state } = replay([...opened, answered({ command: 'register', code: ok, pressed: 2 })])
  const after = replay([{ kind: 'fingerChanged' }], state)
  expect(after.sent).toEqual(['cancelregister', 'close', 'info'])
  expect(after.state).toMatchObject({ phase: 'opening', pressed: 0 })
  expect(after.state.template).toBeUndefined()
  // Without a connection there is nothing to close.
  expect(replay([{ kind: 'fingerChanged' }]).sent).toEqual([])
  const failed = replay([{ kind: 'disconnected' }]).state
  expect(replay([{ kind: 'fingerChanged' }], failed).sent).toEqual(['reconnect'])
})

it('says what to do where no service answers', () => {
  expect(replay([{ kind: 'disconnected' }]).state).toMatchObject({
    phase: 'failed',
    notice: '未连接到指纹服务，请在本机启动指纹服务后重试',
  })
})

it('has a message of its own for every code (0§8)', () => {
  const codes = [...Array.from({ length: 14 }, (_, i) => 10001 + i), 10016, 10017, 10018]
  const notices = codes.map(code => noticeOf(code))
  expect(new Set(notices).size).toBe(codes.length)
  expect(notices.filter(notice => notice.includes('未知'))).toEqual([])
  expect(noticeOf(10015)).toContain('10015')
})

it('reads answers and nothing else', () => {
  expect(parseAnswer('{"cmd":"info","code":10000,"data":{"deviceSn":"ZK-1","pressCount":3}}')).toEqual({
    command: 'info',
    code: ok,
    deviceSn: 'ZK-1',
    pressCount: 3,
  })
  expect(parseAnswer('{"cmd":"register","code":10011}')).toEqual({ command: 'register', code: 10011 })
  for (const text of [
    '',
    'x',
    'null',
    '[]',
    '{}',
    '{"cmd":"format","code":1}',
    '{"cmd":"info","code":"1"}',
  ]) {
    expect(parseAnswer(text), text).toBeUndefined()
  }
  // Values of a wrong kind are left out.
  expect(parseAnswer('{"cmd":"info","code":10000,"data":{"pressCount":-1,"deviceSn":7}}')).toEqual({
    command: 'info',
    code: ok,
  })
})
