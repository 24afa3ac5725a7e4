import { expect, it } from 'vitest'
import { agentEvents } from '../contract/agent-commands.ts'
import { contentPartsOf, eventContentText, eventTypesNamed, eventTypeText } from './event-text.ts'

it('names every event that the product’s own programs send', () => {
  const simulated = ['opened', 'alarm', 'fault', 'faultCleared', 'watchdogRestarted', 'unknown']
  for (const type of [...Object.values(agentEvents), ...simulated]) {
    expect(eventTypeText(type)).toMatch(/^\p{Script=Han}+$/u)
  }
  expect(eventTypeText('doorHeldOpen')).toBe('doorHeldOpen')
})

it('describes the data of an event as text', () => {
  const texts: readonly (readonly [type: string, data: object, text: string])[] = [
    ['opened', { by: 'card', card: 7, no: 12 }, '开门方式：刷卡；卡号：7；记录号：12'],
    ['opened', { by: 'remote', no: 13 }, '开门方式：远程；记录号：13'],
    ['alarm', { reason: 'forcedOpen', no: 1 }, '原因：强行开门；记录号：1'],
    ['fault', { title: '门未关', level: '3' }, '故障：门未关；等级：一般'],
    ['fault', { title: '门未关', level: 1 }, '故障：门未关；等级：紧急'],
    ['faultCleared', {}, ''],
    ['driverStopped', { driver: 'simulator', reason: '退出码 1' }, '驱动：simulator；原因：退出码 1'],
    ['eventsDropped', { count: 3, firstSeq: 1, lastSeq: 3 }, '条数：3；起始序号：1；截止序号：3'],
    [
      'watchdogRestarted',
      { action: 'restartService', gateNo: 'GW1', hostName: '', serviceName: 'door' },
      '恢复方式：重启服务；网关号：GW1；服务：door',
    ],
    ['opened', { isCut: true, length: 9000 }, '内容过长已省略：是；原长度：9000'],
    ['opened', { omittedBytes: 70_000 }, '省略字节数：70000'],
  ]
  for (const [type, data, text] of texts) {
    expect([type, eventContentText(type, JSON.stringify(data))]).toEqual([type, text])
  }
})

it('shows what another hand’s driver sends as it is', () => {
  expect(eventContentText('lift', '{"floor":-2,"doors":[1,2],"by":"card"}')).toBe(
    'floor：-2；doors：[1,2]；by：card',
  )
  expect(eventContentText('opened', '{"by":"face"}')).toBe('开门方式：face')
  expect(eventContentText('lift', 'no JSON')).toBe('no JSON')
  expect(eventContentText('lift', undefined)).toBe('')
})

it('a word is sought as it is and as the codes that mean it', () => {
  expect(eventTypesNamed('驱动')).toEqual(['driverStopped', 'driverStarted'])
  expect(contentPartsOf('远程')).toEqual([
    '远程',
    '"by":"remote"',
    '"by":remote',
    '"method":"5"',
    '"method":5',
  ])
  expect(contentPartsOf('紧急')).toEqual(['紧急', '"level":"1"', '"level":1'])
  expect(contentPartsOf('a"b')).toEqual(['a\\"b'])
})
