import { expect, it } from 'vitest'
import { asId } from '#kit/domain/id.ts'
import { UnreadableMessage, type PlateReading } from './adapter.ts'
import { vzenith } from './vzenith.ts'

const json = { 'content-type': 'application/json' }

/** A record as the maker's document has it. */
const resultOf = (change: object = {}): string =>
  JSON.stringify({
    AlarmInfoPlate: {
      channel: 0,
      deviceName: 'R5',
      ipaddr: '192.168.1.20',
      result: {
        PlateResult: {
          license: '粤B·12345',
          colorType: 1,
          confidence: 96,
          direction: 4,
          imageFile: Buffer.from('picture').toString('base64'),
          plateid: 21085,
          isoffline: 0,
          timeStamp: { Timeval: { sec: 1_795_219_200, usec: 0 } },
          triggerType: 1,
          ...change,
        },
      },
      serialno: 'fe71e106-57263272',
    },
  })

function read(change: object = {}): PlateReading {
  const message = vzenith.parse({ headers: json, body: resultOf(change) })
  if (message.kind !== 'reading') throw new Error(message.kind)
  return message.reading
}

it('reads a plate with its colour, time, number and picture', () => {
  expect(read()).toEqual({
    recordKey: '21085-1795219200',
    plateNo: '粤B12345',
    plateColor: 'blue',
    confidence: 96,
    deviceTime: '2026-11-21 08:00:00',
    isOffline: false,
    hasPassed: false,
    picture: Buffer.from('picture'),
  })
  expect(read({ license: '_无_', colorType: 0, confidence: 0 })).toMatchObject({
    plateNo: undefined,
    plateColor: undefined,
  })
  expect(read({ confidence: 700, colorType: 6 })).toMatchObject({ confidence: 100, plateColor: 'green' })
})

it('a kept record has passed where the camera opened, by its list or by the server', () => {
  const offline = (ctrltype: number) => read({ isoffline: 1, gioouts: [{ ionum: 0, ctrltype }] })
  expect([0, 1, 2].map(type => offline(type).hasPassed)).toEqual([false, true, true])
  expect(read({ isoffline: 1 })).toMatchObject({ isOffline: true, hasPassed: true })
})

it('registrations are polls, other messages are acknowledged, what is no message is refused', () => {
  const form = { 'content-type': 'multipart/form-data; boundary=x' }
  expect(vzenith.parse({ headers: form, body: '--x--' })).toEqual({ kind: 'poll' })
  expect(vzenith.parse({ headers: json, body: '{"AlarmGioIn":{}}' })).toEqual({ kind: 'other' })
  for (const body of ['{', '[]', '"x"', resultOf({ plateid: undefined, timeStamp: undefined })]) {
    expect(() => vzenith.parse({ headers: json, body })).toThrow(UnreadableMessage)
  }
})

const answerOf = (body: string | undefined): unknown => JSON.parse(body ?? '')

it('the answer opens or not, says why, and asks for the next record that was kept', () => {
  const opened = vzenith.answerReading(read(), { isOpen: true, lines: ['粤B12345', '月租车'] })
  expect(answerOf(opened.body)).toMatchObject({
    Response_AlarmInfoPlate: {
      info: 'ok',
      plateid: 21085,
      content: '粤B12345 月租车',
      playserver_json_request: { voice: Buffer.from('粤B12345，月租车').toString('base64') },
      body: { custom: ['粤B12345', '月租车'].map(line => Buffer.from(line).toString('base64')) },
    },
  })
  const kept = vzenith.answerReading(read({ isoffline: 1 }), { isOpen: false, lines: [] })
  expect(answerOf(kept.body)).toEqual({
    Response_AlarmInfoPlate: {
      info: 'no',
      plateid: 21085,
      ContinuePushOffline: { plateid: 21085, continue: 1 },
    },
  })
})

it('a poll opens where there is a command, and says nothing where there is none', () => {
  expect(answerOf(vzenith.answerPoll({ commandIds: [], lines: [] }).body)).toEqual({
    Response_AlarmInfoPlate: {},
  })
  expect(answerOf(vzenith.answerPoll({ commandIds: [asId(7)], lines: ['粤B12345'] }).body)).toMatchObject({
    Response_AlarmInfoPlate: { info: 'ok', commandIds: [7], content: '粤B12345' },
  })
})
