import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { fromInstant } from '#kit/domain/moment.ts'
import { DeviceOffline, type CodeReading, type ReadingAnswer } from '../driver.ts'
import { AgentCodes } from './agent-codes.ts'
import { ControllerRefusal, IsapiClient } from './client.ts'
import { Controller } from './controller.ts'
import { employeeNoOf } from './credential.ts'
import { ItemStore } from './item-store.ts'

/** A controller that is asked to open, and what happens then. */
class OpeningController extends Controller {
  opened = 0
  failure: Error | undefined

  constructor() {
    super(new IsapiClient({ address: '127.0.0.1', user: '', password: '', timeoutMs: 1 }))
  }

  override async control(): Promise<void> {
    if (this.failure) throw this.failure
    this.opened++
  }
}

const now = Date.parse('2026-11-29T10:00:00+08:00')
let folder: string
let store: ItemStore
let controller: OpeningController
let asked: CodeReading[]
let returned: string[]
let answer: ReadingAnswer
let clockMs: number

const codes = () =>
  new AgentCodes({
    controller,
    store,
    context: {
      decide: async reading => {
        asked.push(reading)
        return answer
      },
      giveBack: recordKey => void returned.push(recordKey),
    },
    doorNo: () => 1,
    clock: () => clockMs,
  })

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'codes-'))
  store = new ItemStore(folder)
  store.set('serial', 'S1')
  const key = 'qr:5001'
  const data = { rights: [], countedRights: [{}], exitRights: [{}] }
  store.begin({ key, version: 1, employeeNo: employeeNoOf(key), data })
  store.finish(key, undefined)
  controller = new OpeningController()
  asked = []
  returned = []
  answer = { isOpen: true }
  clockMs = now
})

afterEach(() => {
  store.close()
  rmSync(folder, { recursive: true })
})

const record = (serialNo: number, { secondsAgo = 0, reader = 1 } = {}) => ({
  major: 5,
  minor: 9,
  serialNo,
  cardNo: '5001',
  cardReaderNo: reader,
  time: `${fromInstant(now - secondsAgo * 1000).replace(' ', 'T')}+08:00`,
})
const openingRecord = { ...record(2), major: 3, minor: 1024 }

it('VIS-2 a door opens once it was counted, and the controller’s own record of it is no other passage', async () => {
  expect(await codes().answer(record(1), [])).toMatchObject({ minor: 1, isDecided: true })
  expect(asked).toMatchObject([{ key: 'qr:5001', recordKey: 'S1:1', waitsUntil: now + 8000 }])
  expect(await codes().answer(openingRecord, [])).toBeUndefined()
  expect(await codes().answer(openingRecord, [])).toEqual(openingRecord)
})

it('VIS-2 records that come again open nothing again: the controller’s own record tells whether it did', async () => {
  await codes().answer(record(1), [])
  await codes().answer(record(5), [])
  expect(controller.opened).toBe(2)
  expect(await codes().answer(record(1), [openingRecord])).toMatchObject({ minor: 1 })
  expect(await codes().answer(record(5), [])).toMatchObject({ minor: 9, isDecided: true })
  expect(returned).toEqual(['S1:5'])
  expect(controller.opened).toBe(2)
  expect(asked).toHaveLength(2)
})

it('VIS-2 an opening whose line broke is asked about no more, and one that is refused is given back', async () => {
  controller.failure = new DeviceOffline('设备未连接')
  await expect(codes().answer(record(1), [])).rejects.toThrow('设备未连接')
  controller.failure = undefined
  expect(await codes().answer(record(1), [])).toMatchObject({ minor: 9, refusal: expect.any(String) })
  expect(controller.opened).toBe(0)
  controller.failure = new ControllerRefusal('busy')
  expect(await codes().answer(record(3), [])).toMatchObject({ minor: 9, refusal: expect.any(String) })
  expect(returned).toEqual(['S1:1', 'S1:3'])
  expect(await codes().answer(openingRecord, [])).toEqual(openingRecord)
})

it('VIS-2 nothing opens eight seconds after the reading: neither asked about nor answered so late', async () => {
  expect(await codes().answer(record(1, { secondsAgo: 9 }), [])).toMatchObject({ minor: 9 })
  expect(asked).toEqual([])
  const late = codes()
  const answering = late.answer(record(3), [])
  clockMs = now + 8001
  expect(await answering).toMatchObject({ minor: 9, isDecided: true })
  expect(returned).toEqual(['S1:1', 'S1:3'])
  expect(controller.opened).toBe(0)
})

it('VIS-2 what leads out asks nobody, and a refusal has the words of the answer', async () => {
  expect(await codes().answer(record(1, { reader: 2 }), [])).toMatchObject({ minor: 1 })
  expect(asked).toEqual([])
  answer = { isOpen: false, reason: '次数已用完' }
  expect(await codes().answer(record(3), [])).toMatchObject({ minor: 9, refusal: '次数已用完' })
  expect(controller.opened).toBe(1)
})
