import { once } from 'node:events'
import { afterEach, expect, it } from 'vitest'
import {
  advanceCapture,
  initialCapture,
  noticeOf,
  parseAnswer,
  type CaptureEvent,
  type CaptureState,
} from '#modules/staff/domain/fingerprint-capture.ts'
import { startFingerprintSimulator, type SimulatorOptions } from './fingerprint-service.ts'

const opened: (() => Promise<void>)[] = []
afterEach(async () => {
  await Promise.all(opened.splice(0).map(close => close()))
})

const startService = async (options: Partial<SimulatorOptions>) => {
  const service = await startFingerprintSimulator({ port: 0, presses: 3, faults: [], pressMs: 1, ...options })
  opened.push(service.close)
  return service
}

/** Captures as the dialog does, until it is over; every state on the way. */
async function capture(port: number): Promise<CaptureState[]> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}`)
  await once(socket, 'open')
  const states = [initialCapture]
  await new Promise<void>(resolve => {
    const handle = (event: CaptureEvent): void => {
      const { state, send = [] } = advanceCapture(states.at(-1) ?? initialCapture, event)
      states.push(state)
      send.forEach(cmd => socket.send(JSON.stringify({ cmd })))
      if (state.phase === 'captured' || state.phase === 'failed') {
        resolve()
      }
    }
    socket.addEventListener('message', ({ data }) => {
      const answer = parseAnswer(String(data))
      if (answer) {
        handle({ kind: 'answered', answer })
      }
    })
    handle({ kind: 'connected' })
  })
  socket.close()
  return states
}

const pressCodes = [10009, 10010, 10011, 10012, 10014, 10016]
const attentionCodes = [10001, 10002, 10003, 10004, 10005, 10006, 10007, 10013, 10017, 10018]

it('enrols with the presses that it says, shown one by one (0§4)', async () => {
  const { port } = await startService({ presses: 4 })
  const states = await capture(port)
  expect([...new Set(states.map(state => state.pressed))]).toEqual([0, 1, 2, 3, 4])
  expect(states.at(-1)).toMatchObject({ phase: 'captured', deviceSn: 'SIM-FP-0001' })
})

it('each code of a press is shown, and the enrolment goes on to its end (0§8)', async () => {
  const { port } = await startService({ faults: pressCodes })
  const states = await capture(port)
  const shown = new Set(states.map(state => state.notice))
  expect(pressCodes.filter(code => !shown.has(noticeOf(code)))).toEqual([])
  expect(states.at(-1)?.phase).toBe('captured')
})

it('each code that the clerk must mend ends the capture with its message (0§8)', async () => {
  const { port } = await startService({ refusals: { open: attentionCodes } })
  for (const code of attentionCodes) {
    const states = await capture(port)
    expect(states.at(-1), String(code)).toMatchObject({ phase: 'failed', notice: noticeOf(code, 'open') })
  }
  expect((await capture(port)).at(-1)?.phase).toBe('captured')
})

it('a device that another page has open is in use (0§5)', async () => {
  const { port } = await startService({})
  const first = new WebSocket(`ws://127.0.0.1:${port}`)
  await once(first, 'open')
  first.send(JSON.stringify({ cmd: 'open' }))
  await once(first, 'message')
  expect((await capture(port)).at(-1)?.notice).toBe('设备未正确关闭，请等待或刷新页面')
  first.close()
})
