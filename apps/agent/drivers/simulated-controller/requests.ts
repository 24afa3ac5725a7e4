import { setTimeout as sleep } from 'node:timers/promises'
import { isObject, parseJson, type JsonObject } from '../../json.ts'
import type { SimulatedDoorway } from './doorway.ts'
import type { ControllerMemory } from './memory.ts'

export interface ControllerState {
  readonly memory: ControllerMemory
  readonly doorway: SimulatedDoorway
  readonly capacity: number
  /** Templates that each of its readers takes. */
  readonly fingerCapacity: number
  /** Readers that take fingers, from the first on. */
  readonly fingerReaders: number
  /** Numbers of people that it never takes. */
  readonly refused: readonly string[]
  /** A card that lies on the reader, until it is read. */
  cardOnReader: string | undefined
  /** Stays open until it is closed again. */
  isKeptOpen: boolean
}

export interface Answer {
  readonly status?: number
  readonly type?: string
  readonly body: string | Buffer
}

interface Asked {
  readonly method: string
  readonly path: string
  readonly body: Buffer
  readonly type: string
}

type Handler = (state: ControllerState, asked: Asked, no: string) => Answer | Promise<Answer>

const readerPollMs = 100
const readerWaitMs = 20_000
const smallestPhoto = 100

const sent = (value: JsonObject): Answer => ({ body: JSON.stringify(value) })
const done = sent({ statusCode: 1, statusString: 'OK', subStatusCode: 'ok' })
const xml = (body: string): Answer => ({ type: 'application/xml', body: `<?xml version="1.0"?>${body}` })

export const refusal = (subStatusCode: string): Answer => ({
  status: 400,
  body: JSON.stringify({ statusCode: 4, statusString: 'Invalid Operation', subStatusCode }),
})

function memberOf({ body }: Asked, name: string): JsonObject {
  const value = parseJson(body.toString('utf8'))
  const member = isObject(value) ? value[name] : undefined
  return isObject(member) ? member : {}
}

const listOf = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : [])

const putPerson: Handler = ({ memory, capacity, refused }, asked) => {
  const person = memberOf(asked, 'UserInfo')
  const no = String(person.employeeNo)
  if (refused.includes(no)) return refusal('badParameters')
  if (!memory.person(no) && memory.countPeople() >= capacity) return refusal('userNumberFull')
  memory.putPerson(no, person)
  return done
}

const putCard: Handler = ({ memory }, asked) => {
  const { employeeNo, cardNo } = memberOf(asked, 'CardInfo')
  const [no, card] = [String(employeeNo), String(cardNo)]
  const holder = memory.holderOfCard(card)
  if (holder !== undefined && holder !== no) return refusal('cardNoAlreadyExist')
  if (!memory.person(no)) return refusal('employeeNoNotExist')
  memory.putCard(card, no)
  return done
}

const putFace: Handler = async ({ memory }, { body, type }) => {
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData()
  const record = parseJson(String(form.get('FaceDataRecord')))
  const picture = form.get('img')
  const no = isObject(record) ? String(record.FPID) : ''
  if (!memory.person(no)) return refusal('employeeNoNotExist')
  if (!(picture instanceof Blob) || picture.size < smallestPhoto)
    return refusal('SubpicAnalysisModelingError')
  memory.putFace(no, picture.size)
  return done
}

/** By the status of a reader: taken, offline, poor, full. */
const fingerStatus = { taken: 1, offline: 2, poor: 3, full: 4 } as const
const smallestTemplate = 12

const putFinger: Handler = ({ memory, fingerCapacity, fingerReaders }, asked) => {
  const { employeeNo, enableCardReader, fingerData } = memberOf(asked, 'FingerPrintCfg')
  const no = String(employeeNo)
  const [reader] = Array.isArray(enableCardReader) ? enableCardReader.map(Number) : []
  if (reader === undefined || typeof fingerData !== 'string') return refusal('badParameters')
  if (!memory.person(no)) return refusal('employeeNoNotExist')
  const bytes = Buffer.from(fingerData, 'base64').length
  const answer = (cardReaderRecvStatus: number): Answer =>
    sent({ FingerPrintStatus: { StatusList: [{ id: reader, cardReaderRecvStatus, errorMsg: '' }] } })
  if (reader > fingerReaders) return answer(fingerStatus.offline)
  if (bytes < smallestTemplate) return answer(fingerStatus.poor)
  if (!memory.hasFinger(no, reader) && memory.countFingers(reader) >= fingerCapacity)
    return answer(fingerStatus.full)
  memory.putFinger(no, reader, bytes)
  return answer(fingerStatus.taken)
}

const deletePeople: Handler = ({ memory }, asked) => {
  const { mode, EmployeeNoList } = memberOf(asked, 'UserInfoDetail')
  if (mode === 'all') {
    memory.deleteAllPeople()
  }
  listOf(EmployeeNoList).forEach(({ employeeNo }) => memory.deletePerson(String(employeeNo)))
  return done
}

const keepOption =
  (name: string): Handler =>
  ({ memory }, asked, no) => {
    memory.setOption(name.startsWith('Door') ? name : `${name}/${no}`, memberOf(asked, name))
    return done
  }

const keepXml: Handler = ({ memory }, { path, body }) => {
  memory.setOption(path, { xml: body.toString('utf8') })
  return xml('<ResponseStatus><statusCode>1</statusCode><subStatusCode>ok</subStatusCode></ResponseStatus>')
}

const control: Handler = (state, { body }) => {
  const text = body.toString('utf8')
  state.isKeptOpen = text.includes('<cmd>alwaysOpen')
  if (!text.includes('<cmd>resume')) {
    state.doorway.noteRemoteOpen()
  }
  return xml('<ResponseStatus><statusCode>1</statusCode></ResponseStatus>')
}

const records: Handler = ({ memory }, asked) => {
  const { beginSerialNo = 1, maxResults = 30, timeReverseOrder } = memberOf(asked, 'AcsEventCond')
  const found =
    timeReverseOrder === true
      ? memory.lastRecords(Number(maxResults))
      : memory.recordsFrom(Number(beginSerialNo), Number(maxResults))
  const responseStatusStrg = found.length ? 'OK' : 'NO MATCH'
  return sent({
    AcsEvent: { searchID: '1', responseStatusStrg, numOfMatches: found.length, InfoList: found },
  })
}

const readCard: Handler = async state => {
  for (let waited = 0; waited < readerWaitMs; waited += readerPollMs) {
    const cardNo = state.cardOnReader
    if (cardNo !== undefined) {
      state.cardOnReader = undefined
      return sent({ CardInfo: { cardNo } })
    }
    await sleep(readerPollMs)
  }
  return refusal('captureTimeout')
}

/** A grey picture of one point: what a camera would have taken. */
const picture = Buffer.from(
  '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////' +
    '////////////////wAALCAABAAEBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAA//EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8A' +
    'P//Z',
  'base64',
)

const handlers: Readonly<Record<string, Handler>> = {
  'GET /ISAPI/System/deviceInfo': ({ memory }) =>
    xml(
      `<DeviceInfo><serialNumber>${memory.serial}</serialNumber><firmwareVersion>V3.9.1</firmwareVersion></DeviceInfo>`,
    ),
  'PUT /ISAPI/System/time': keepXml,
  'PUT /ISAPI/System/Audio/AudioOut/channels/*': keepXml,
  'PUT /ISAPI/AccessControl/IdentityTerminal': keepXml,
  'PUT /ISAPI/AccessControl/Door/param/*': keepXml,
  'GET /ISAPI/AccessControl/UserInfo/Count': ({ memory }) =>
    sent({ UserInfoCount: { userNumber: memory.countPeople() } }),
  'PUT /ISAPI/AccessControl/UserInfo/SetUp': putPerson,
  'PUT /ISAPI/AccessControl/CardInfo/SetUp': putCard,
  'PUT /ISAPI/Intelligent/FDLib/FDSetUp': putFace,
  'POST /ISAPI/AccessControl/FingerPrint/SetUp': putFinger,
  'PUT /ISAPI/AccessControl/UserInfoDetail/Delete': deletePeople,
  'GET /ISAPI/AccessControl/UserInfoDetail/DeleteProcess': () =>
    sent({ UserInfoDetailDeleteProcess: { status: 'success' } }),
  'PUT /ISAPI/AccessControl/UserRightWeekPlanCfg/*': keepOption('UserRightWeekPlanCfg'),
  'PUT /ISAPI/AccessControl/UserRightPlanTemplate/*': keepOption('UserRightPlanTemplate'),
  'PUT /ISAPI/AccessControl/DoorStatusWeekPlanCfg/*': keepOption('DoorStatusWeekPlanCfg'),
  'PUT /ISAPI/AccessControl/DoorStatusPlanTemplate/*': keepOption('DoorStatusPlanTemplate'),
  'PUT /ISAPI/AccessControl/DoorStatusPlan/*': keepOption('DoorStatusPlan'),
  'PUT /ISAPI/AccessControl/CardReaderCfg/*': keepOption('CardReaderCfg'),
  'PUT /ISAPI/AccessControl/RemoteControl/door/*': control,
  'POST /ISAPI/AccessControl/AcsEvent': records,
  'GET /ISAPI/AccessControl/CaptureCardInfo': readCard,
  'GET /LOCALS/pic/acsLinkCap/face.jpg': () => ({ type: 'image/jpeg', body: picture }),
}

/** A number at the end of a path is of what it names. */
export async function answerTo(state: ControllerState, asked: Asked): Promise<Answer> {
  const no = /\/(\d+)$/.exec(asked.path)?.[1] ?? ''
  const path = no ? `${asked.path.slice(0, -no.length)}*` : asked.path
  const handler = handlers[`${asked.method} ${path}`]
  return handler ? handler(state, asked, no) : refusal('notSupport')
}
