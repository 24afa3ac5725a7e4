import { expect, it } from 'vitest'
import { isStranger, passageTime, readPassage } from './passage-event.ts'

const good = { key: '17', method: 1, result: 1, direction: 1, card: '1234' }

it('reads what a driver sends: a card alone names its credential (ACS-5)', () => {
  expect(readPassage(good)).toEqual({
    recordKey: '17',
    openMethod: 'card',
    openStatus: 'opened',
    direction: 'entrance',
    itemKey: 'card:1234',
    cardNo: '1234',
  })
  const refused = {
    key: 9,
    method: '3',
    result: 0,
    direction: '2',
    item: 'face:7',
    reason: '未登记',
    temperature: 36.61,
  }
  expect(readPassage(refused)).toEqual({
    recordKey: '9',
    openMethod: 'face',
    openStatus: 'refused',
    direction: 'exit',
    itemKey: 'face:7',
    reason: '未登记',
    temperature: '36.6',
  })
  expect(readPassage({ ...good, card: undefined, item: 'plate:粤b12345', method: 9 })).toMatchObject({
    plateNo: '粤B12345',
  })
})

it('what is no record is refused in words', () => {
  const faults: readonly (readonly [object, string])[] = [
    [{ key: ' ' }, '缺少记录号'],
    [{ key: 'x'.repeat(81) }, '记录号不能超过 80 个字'],
    [{ method: 99 }, '开门方式「99」无法识别'],
    [{ method: null }, '开门方式「」无法识别'],
    [{ result: 2 }, '结果应为 1（已开）或 0（未开）'],
    [{ direction: 3 }, '方向应为 1（进）或 2（出）'],
    [{ item: 'nothing' }, '凭证格式不正确，应为「类型:号码」'],
    [{ card: '1'.repeat(21) }, '卡号不能超过 20 位'],
    [{ item: `plate:${'1'.repeat(13)}` }, '车牌过长'],
    [{ item: `face:${'1'.repeat(100)}` }, '凭证过长'],
  ]
  for (const [change, fault] of faults) {
    expect(readPassage({ ...good, ...change })).toBe(fault)
  }
})

it('a temperature that no body has is no measurement', () => {
  const measured = [29.9, 30, 45, 45.1, 'warm'].map(temperature => {
    const read = readPassage({ ...good, temperature })
    return typeof read === 'string' ? read : read.temperature
  })
  expect(measured).toEqual([undefined, '30.0', '45.0', undefined, undefined])
})

it('the device’s time counts while it can be believed; else that of the event, never the future', () => {
  const receivedMs = Date.parse('2026-09-30T02:00:00Z')
  const timeOf = (deviceTime: unknown, isEventDoubtful = false, eventTime = '2026-09-30T01:59:00Z') => {
    const { atMs, isDoubtful } = passageTime({ deviceTime, eventTime, isEventDoubtful, receivedMs })
    return [new Date(atMs).toISOString().slice(0, 19), isDoubtful]
  }
  expect(timeOf('2026-09-29T10:00:00+08:00')).toEqual(['2026-09-29T02:00:00', false])
  expect(timeOf('2026-09-30T02:05:00Z')).toEqual(['2026-09-30T02:05:00', false])
  expect(timeOf('2026-09-30T02:05:01Z')).toEqual(['2026-09-30T01:59:00', true])
  expect(timeOf('1970-01-01T00:00:00Z')).toEqual(['2026-09-30T01:59:00', true])
  expect(timeOf('yesterday')).toEqual(['2026-09-30T01:59:00', true])
  expect(timeOf('2026-09-29T10:00:00Z', true)).toEqual(['2026-09-30T01:59:00', true])
  expect(timeOf(undefined, true, '2026-09-30T09:00:00Z')).toEqual(['2026-09-30T02:00:00', true])
})

it('a face or a card of nobody is a stranger’s, a button or the remote opening is not', () => {
  expect(isStranger('face', false)).toBe(true)
  expect(isStranger('face', true)).toBe(false)
  expect(isStranger('button', false)).toBe(false)
  expect(isStranger('remote', false)).toBe(false)
})

it('readers spell the number of a card in either case (ACS-1)', () => {
  const data = { key: 'a:1', method: 1, result: 1, direction: 1 }
  const expected = { itemKey: 'card:AB12', cardNo: 'AB12' }
  expect(readPassage({ ...data, card: 'ab12' })).toMatchObject(expected)
  expect(readPassage({ ...data, item: 'card:ab12' })).toMatchObject(expected)
  expect(readPassage({ ...data, item: 'qr:ab12' })).toMatchObject({ itemKey: 'qr:ab12' })
})
