import { isObject } from '#kit/contract/wire/members.ts'
import { fromInstant, type Moment } from '#kit/domain/moment.ts'
import type { RawResponse } from '#kit/server/raw-endpoint.ts'
import { normalizePlate } from '#modules/parking/contract/licence-plate.ts'
import {
  UnreadableMessage,
  type CameraAdapter,
  type CameraMessage,
  type PlateReading,
  type PollAnswer,
  type ReadingAnswer,
} from './adapter.ts'

// The maker's document of its HTTP push: results of reading as JSON, a registration that is sent again and
// again ("comet"), and answers that open the barrier, show and speak.

type Json = Readonly<Record<string, unknown>>

const part = (of: Json, name: string): Json => {
  const value = of[name]
  return isObject(value) ? value : {}
}

const numberOf = (of: Json, name: string): number | undefined => {
  const value = Number(of[name])
  return of[name] !== undefined && Number.isFinite(value) ? value : undefined
}

const textOf = (of: Json, name: string): string => {
  const value = of[name]
  return typeof value === 'string' ? value.trim() : ''
}

/** What it writes where there was no plate to read. */
const withoutPlate = new Set(['', '_无_', '无', '无牌车'])

const colors: Readonly<Record<number, PlateReading['plateColor']>> = {
  1: 'blue',
  2: 'yellow',
  3: 'white',
  4: 'black',
  5: 'green',
  6: 'green',
}

const maxPlate = 12

function plateOf(result: Json): string | undefined {
  const licence = textOf(result, 'license')
  if (withoutPlate.has(licence)) return undefined
  return normalizePlate(licence).slice(0, maxPlate)
}

/** Seconds since 1970 of the frame; the camera counts from its own clock. */
function timeOf(result: Json): Moment | undefined {
  const seconds = numberOf(part(part(result, 'timeStamp'), 'Timeval'), 'sec')
  return seconds === undefined || seconds <= 0 || seconds > 4_102_444_800
    ? undefined
    : fromInstant(seconds * 1000)
}

/** One record's outputs say whether the barrier went up: by the server (1), by the list of the camera (2). */
function hasOpened(result: Json): boolean {
  const outputs = result.gioouts
  if (!Array.isArray(outputs)) return true
  return outputs.some(output => isObject(output) && Number(output.ctrltype) > 0)
}

function readingOf(result: Json): PlateReading {
  const number = numberOf(result, 'plateid')
  const time = timeOf(result)
  const seconds = numberOf(part(part(result, 'timeStamp'), 'Timeval'), 'sec')
  if (number === undefined && time === undefined) {
    throw new UnreadableMessage('识别结果没有 plateid 与 timeStamp')
  }
  const isOffline = numberOf(result, 'isoffline') === 1
  const picture = textOf(result, 'imageFile') || textOf(result, 'imageFragmentFile')
  return {
    // Its numbers begin again when it is reset.
    recordKey: `${number ?? ''}-${seconds ?? ''}`.slice(0, 38),
    plateNo: plateOf(result),
    plateColor: colors[numberOf(result, 'colorType') ?? 0],
    confidence: Math.min(100, Math.max(0, Math.round(numberOf(result, 'confidence') ?? 0))),
    deviceTime: time,
    isOffline,
    hasPassed: isOffline && hasOpened(result),
    picture: picture === '' ? undefined : Buffer.from(picture, 'base64'),
  }
}

const otherMessages = ['AlarmGioIn', 'SerialData', 'TriggerImage']

function parse({ headers, body }: Parameters<CameraAdapter['parse']>[0]): CameraMessage {
  // The registration is a form, whose fields say nothing that the address does not.
  if (!/json|text\/plain|^$/.test(headers['content-type'] ?? '')) return { kind: 'poll' }
  if (body.trim() === '') return { kind: 'poll' }
  let message: unknown
  try {
    message = JSON.parse(body)
  } catch {
    throw new UnreadableMessage('内容不是正确的 JSON')
  }
  if (!isObject(message)) throw new UnreadableMessage('内容不是正确的 JSON')
  if (isObject(message.AlarmInfoPlate)) {
    const result = part(part(message.AlarmInfoPlate, 'result'), 'PlateResult')
    return { kind: 'reading', reading: readingOf(result) }
  }
  return { kind: otherMessages.some(name => name in message) ? 'other' : 'poll' }
}

const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64')

/** What the screen shows and the loudspeaker says. */
const shown = (lines: readonly string[]): Json =>
  lines.length === 0
    ? {}
    : {
        content: lines.join(' '),
        playserver_json_request: {
          type: 'ps_voice_play',
          voice: base64(lines.join('，')),
          voice_interval: 0,
          voice_volume: 100,
          voice_male: 1,
        },
        module: 'AD_CONFIG_REQUESTION',
        type: 'ad_push_message',
        body: { scene_name: base64('busy_half'), custom: lines.map(base64) },
      }

const answerOf = (response: Json): RawResponse => ({
  type: 'application/json; charset=utf-8',
  body: JSON.stringify({ Response_AlarmInfoPlate: response }),
})

const recordNumber = ({ recordKey }: PlateReading): number => Number(recordKey.split('-')[0])

/** The number is the receipt; of kept records the next one is asked for. */
function answerReading(reading: PlateReading, { isOpen, lines }: ReadingAnswer): RawResponse {
  const plateid = recordNumber(reading)
  return answerOf({
    info: isOpen ? 'ok' : 'no',
    plateid,
    ...(reading.isOffline ? { ContinuePushOffline: { plateid, continue: 1 } } : {}),
    ...shown(lines),
  })
}

const answerPoll = ({ commandIds, lines }: PollAnswer): RawResponse =>
  answerOf(commandIds.length === 0 ? {} : { info: 'ok', commandIds, ...shown(lines) })

export const vzenith: CameraAdapter = {
  parse,
  answerReading,
  answerPoll,
  answerOther: () => answerOf({}),
}
