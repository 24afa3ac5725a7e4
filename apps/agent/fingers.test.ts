import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { asId } from '#kit/domain/id.ts'
import type { DesiredItem, ReportedItem } from '#modules/devices/contract/agent-protocol.ts'
import { cleanUp, connectAgent } from './fixtures/agent-process.ts'
import { ProtocolServer } from './fixtures/protocol-server.ts'

// Real processes, on machines that may be busy.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 })

let server: ProtocolServer
let lastTaskId = 0
beforeEach(async () => {
  server = await new ProtocolServer().listen()
})
afterEach(async () => {
  await cleanUp()
  await server.close()
})

const isOnline = (): boolean | undefined =>
  server.messages.findLast(m => m.kind === 'beat')?.devices.find(d => d.id === 5)?.isOnline

async function connectDevice(settings: Record<string, unknown>): Promise<void> {
  server.devices = [
    {
      id: asId(5),
      devNo: 'D5',
      driver: 'doorwaySimulator',
      address: '',
      settings: { pollMs: '100', ...settings },
      version: 1,
    },
  ]
  await connectAgent(server)
  await server.until(() => isOnline(), 'the controller')
}

const command = (action: string, data: object = {}) =>
  server.run(++lastTaskId, 'device', { action, data }, { deviceId: 5, timeoutMs: 10_000 })

const put = (key: string, version: number, data: object): DesiredItem => ({
  key,
  version,
  action: 'put',
  data: { name: '张三', ...data },
})
const remove = (key: string, version: number): DesiredItem => ({ key, version, action: 'remove' })
const desire = (...items: DesiredItem[]): void => server.send({ kind: 'desired', deviceId: asId(5), items })
const reported = (): ReportedItem[] =>
  server.messages.flatMap(message => (message.kind === 'reported' ? message.items : []))
const untilReported = (count: number) => server.until(() => reported().length >= count, `${count} reports`)
const of = (type: string) => server.stored.filter(event => event.type === type)

const pressFinger = async (finger: string): Promise<unknown> =>
  (await command('pressFinger', { finger })).data

const putPrint = (id: string, version: number, link = '/files/finger') =>
  put(`fingerprint:${id}`, version, { rights: [{}], templateLink: link })

it('a finger arrives by its link, opens, is recorded as one, and ends with what is withdrawn', async () => {
  server.files.set('/files/finger', Buffer.from(Buffer.alloc(400, 7).toString('base64')))
  server.files.set('/files/poor', Buffer.from('AAAA'))
  await connectDevice({ fingerCapacity: '2' })
  desire(
    putPrint('u7', 1),
    putPrint('u8', 1, '/files/gone'),
    putPrint('u9', 1, '/files/poor'),
    putPrint('s7', 1),
    putPrint('u10', 1),
  )
  await untilReported(5)
  expect(reported().map(({ key, reason }) => [key, reason])).toEqual([
    ['fingerprint:u7', undefined],
    ['fingerprint:u8', '文件链接已过期，将自动重新下发'],
    ['fingerprint:u9', '指纹质量不合格，请重新采集'],
    ['fingerprint:s7', undefined],
    ['fingerprint:u10', '设备指纹容量已满'],
  ])
  expect([await pressFinger('u7'), await pressFinger('u8')]).toEqual([{ isOpen: true }, { isOpen: false }])
  await server.until(() => of('doorPassage').length > 1, 'the passages')
  expect(of('doorPassage').map(event => event.data)).toMatchObject([
    { method: 8, result: 1, item: 'fingerprint:u7' },
    { method: 8, result: 0, reason: '指纹不匹配' },
  ])
  desire(remove('fingerprint:u7', 2), putPrint('u10', 2))
  await untilReported(7)
  expect([await pressFinger('u7'), await pressFinger('u10')]).toEqual([{ isOpen: false }, { isOpen: true }])
  expect((await command('listPeople')).data).toMatchObject({ people: { length: 2 } })
})

it('fingers are asked for again where the device is set to another door', async () => {
  server.files.set('/files/finger', Buffer.from(Buffer.alloc(400, 7).toString('hex')))
  await connectDevice({ fingerReaders: '4' })
  desire(put('settings', 1, { antennaNo: 1 }), putPrint('u7', 1))
  await untilReported(2)
  expect(reported().map(({ outcome }) => outcome)).toEqual(['done', 'done'])
  const resets = of('deviceReset').length
  desire(put('settings', 2, { antennaNo: 2 }))
  await untilReported(3)
  await server.until(() => of('deviceReset').length > resets, 'the request for all of it')
})
