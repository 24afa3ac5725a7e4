import { setTimeout as sleep } from 'node:timers/promises'
import { fromInstant } from '#kit/domain/moment.ts'
import type { Interval } from '#kit/domain/week-window.ts'
import { isObject, type JsonObject } from '../../json.ts'
import { DeviceOffline, DriverFailure } from '../driver.ts'
import type { IsapiClient } from './client.ts'
import type { Segment } from './rights.ts'
import { weekPlanOf } from './week-plan.ts'

const json = '?format=json'
const parameters = '/ISAPI/AccessControl/Door/param'
const remoteControl = '/ISAPI/AccessControl/RemoteControl/door'
const deleteAtOnce = 30
const deletePollMs = 200
const maxDeletePolls = 150
const recordsAtOnce = 30

export interface ControllerInfo {
  readonly serial: string
  readonly firmware: string
}

export interface Person {
  readonly employeeNo: string
  readonly name: string
  readonly segment: Segment
  /** Local, where it ends within a day. */
  readonly endTime?: string | undefined
  readonly planNo: number
  readonly doorNo: number
}

/** Each finger is a person of the controller's own. */
const onlyFinger = 1

/** What a reader answers of a template, by its status; 1: taken. */
const fingerFaults: Readonly<Record<number, string>> = {
  0: '指纹读头未接收，请检查接线',
  2: '指纹读头离线',
  3: '指纹质量不合格，请重新采集',
  4: '设备指纹容量已满',
  5: '设备中已有此指纹',
  10: '指纹读头版本过低，请升级',
}

function fingerFaultOf({ FingerPrintStatus }: JsonObject): string | undefined {
  const { StatusList } = isObject(FingerPrintStatus) ? FingerPrintStatus : {}
  const [first] = Array.isArray(StatusList) ? StatusList.filter(isObject) : []
  const status = Number(first?.cardReaderRecvStatus ?? 1)
  return status === 1 ? undefined : (fingerFaults[status] ?? `设备拒绝指纹（${status}）`)
}

const beginOf = (day: string): string => `${day}T00:00:00`
const endOf = (day: string): string => `${day}T23:59:59`

/** What is asked of a controller, each one documented request; what it means is decided above. */
export class Controller {
  readonly #client: IsapiClient

  constructor(client: IsapiClient) {
    this.#client = client
  }

  async info(): Promise<ControllerInfo> {
    const answer = await this.#client.ask({ method: 'GET', path: '/ISAPI/System/deviceInfo' })
    return { serial: answer.tag('serialNumber') ?? '', firmware: answer.tag('firmwareVersion') ?? '' }
  }

  /** Shanghai time: windows and days are decided there by its own clock. */
  async setClock(): Promise<void> {
    const time = `${fromInstant(Date.now()).replace(' ', 'T')}+08:00`
    const xml = `<Time><timeMode>manual</timeMode><localTime>${time}</localTime><timeZone>CST-8:00:00</timeZone></Time>`
    await this.#client.ask({ method: 'PUT', path: '/ISAPI/System/time', xml })
  }

  async countPeople(): Promise<number> {
    const { json: answer } = await this.#client.ask({
      method: 'GET',
      path: `/ISAPI/AccessControl/UserInfo/Count${json}`,
    })
    return isObject(answer.UserInfoCount) ? Number(answer.UserInfoCount.userNumber) : 0
  }

  async putPerson({ employeeNo, name, segment, endTime, planNo, doorNo }: Person): Promise<void> {
    const lastSecond = endOf(segment.end)
    const UserInfo = {
      employeeNo,
      name,
      userType: 'normal',
      Valid: {
        enable: true,
        beginTime: beginOf(segment.begin),
        endTime: endTime !== undefined && endTime < lastSecond ? endTime : lastSecond,
        timeType: 'local',
      },
      doorRight: String(doorNo),
      RightPlan: [{ doorNo, planTemplateNo: String(planNo) }],
    }
    await this.#put('/ISAPI/AccessControl/UserInfo/SetUp', { UserInfo })
  }

  putCard(employeeNo: string, cardNo: string): Promise<void> {
    const CardInfo = { employeeNo, cardNo, cardType: 'normalCard' }
    return this.#put('/ISAPI/AccessControl/CardInfo/SetUp', { CardInfo })
  }

  async putFace(employeeNo: string, picture: Buffer): Promise<void> {
    const form = new FormData()
    form.set('FaceDataRecord', JSON.stringify({ faceLibType: 'blackFD', FDID: '1', FPID: employeeNo }))
    form.set('img', new Blob([Uint8Array.from(picture)], { type: 'image/jpeg' }), 'face.jpg')
    await this.#client.ask({ method: 'PUT', path: `/ISAPI/Intelligent/FDLib/FDSetUp${json}`, form })
  }

  /**
   * To one reader of fingers: it answers for itself whether it has taken the template, and the request is in
   * order all the same.
   */
  async putFinger(employeeNo: string, template: string, reader: number): Promise<void> {
    const FingerPrintCfg = {
      employeeNo,
      enableCardReader: [reader],
      fingerPrintID: onlyFinger,
      fingerType: 'normalFP',
      fingerData: template,
    }
    const path = `/ISAPI/AccessControl/FingerPrint/SetUp${json}`
    const { json: answer } = await this.#client.ask({ method: 'POST', path, json: { FingerPrintCfg } })
    const fault = fingerFaultOf(answer)
    if (fault !== undefined) throw new DriverFailure(fault)
  }

  /** With their cards, faces and fingers. */
  async deletePeople(employeeNos: readonly string[]): Promise<void> {
    for (let first = 0; first < employeeNos.length; first += deleteAtOnce) {
      const some = employeeNos.slice(first, first + deleteAtOnce)
      const EmployeeNoList = some.map(employeeNo => ({ employeeNo }))
      await this.#delete({ mode: 'byEmployeeNo', EmployeeNoList })
    }
  }

  deleteAll(): Promise<void> {
    return this.#delete({ mode: 'all' })
  }

  /** The controller deletes in its own time. */
  async #delete(UserInfoDetail: JsonObject): Promise<void> {
    await this.#put('/ISAPI/AccessControl/UserInfoDetail/Delete', { UserInfoDetail })
    for (let polls = 0; polls < maxDeletePolls; polls++) {
      const { json: answer } = await this.#client.ask({
        method: 'GET',
        path: `/ISAPI/AccessControl/UserInfoDetail/DeleteProcess${json}`,
      })
      const { status } = isObject(answer.UserInfoDetailDeleteProcess)
        ? answer.UserInfoDetailDeleteProcess
        : {}
      if (status === 'success') return
      if (status === 'failed') throw new DriverFailure('设备删除凭证失败')
      await sleep(deletePollMs)
    }
    throw new DeviceOffline('设备删除凭证超时')
  }

  /** When people may pass: a plan of the week, under the number of its template. */
  async putPlan(no: number, intervals: readonly Interval[]): Promise<void> {
    const UserRightWeekPlanCfg = { enable: true, WeekPlanCfg: weekPlanOf(intervals) }
    await this.#put(`/ISAPI/AccessControl/UserRightWeekPlanCfg/${no}`, { UserRightWeekPlanCfg })
    const UserRightPlanTemplate = templateOf(no)
    await this.#put(`/ISAPI/AccessControl/UserRightPlanTemplate/${no}`, { UserRightPlanTemplate })
  }

  /** When the door is free for all (ACS-7). */
  async putFreeTimes(doorNo: number, intervals: readonly Interval[]): Promise<void> {
    const WeekPlanCfg = weekPlanOf(intervals, { doorStatus: 'remainOpen' })
    const DoorStatusWeekPlanCfg = { enable: intervals.length > 0, WeekPlanCfg }
    await this.#put(`/ISAPI/AccessControl/DoorStatusWeekPlanCfg/${doorNo}`, { DoorStatusWeekPlanCfg })
    const DoorStatusPlanTemplate = templateOf(doorNo)
    await this.#put(`/ISAPI/AccessControl/DoorStatusPlanTemplate/${doorNo}`, { DoorStatusPlanTemplate })
    const DoorStatusPlan = { templateNo: intervals.length ? doorNo : 0 }
    await this.#put(`/ISAPI/AccessControl/DoorStatusPlan/${doorNo}`, { DoorStatusPlan })
  }

  /** A reader that is off reads nothing. */
  putReader(no: number, isEnabled: boolean): Promise<void> {
    const CardReaderCfg = { enable: isEnabled }
    return this.#put(`/ISAPI/AccessControl/CardReaderCfg/${no}`, { CardReaderCfg })
  }

  putOpenSeconds(doorNo: number, seconds: number): Promise<void> {
    const xml = `<DoorParam><openDuration>${seconds}</openDuration></DoorParam>`
    return this.#putXml(`${parameters}/${doorNo}`, xml)
  }

  /** 0 to 10. */
  putVolume(volume: number): Promise<void> {
    const level = `<AudioOutVlome><type>audioOutput</type><volume>${volume}</volume></AudioOutVlome>`
    const xml = `<AudioOut><id>1</id><AudioOutVolumelist>${level}</AudioOutVolumelist></AudioOut>`
    return this.#putXml('/ISAPI/System/Audio/AudioOut/channels/1', xml)
  }

  /** How like a face has to be, 0 to 100. */
  putThreshold(threshold: number): Promise<void> {
    const xml = `<IdentityTerminal><faceMatchThresholdN>${threshold}</faceMatchThresholdN></IdentityTerminal>`
    return this.#putXml('/ISAPI/AccessControl/IdentityTerminal', xml)
  }

  control(doorNo: number, cmd: 'open' | 'alwaysOpen' | 'resume', signal?: AbortSignal): Promise<void> {
    const xml = `<RemoteControlDoor><cmd>${cmd}</cmd></RemoteControlDoor>`
    return this.#putXml(`${remoteControl}/${doorNo}`, xml, signal)
  }

  /** Records from a number on, the oldest first. */
  async records(fromSerialNo: number): Promise<readonly JsonObject[]> {
    return this.#events({ beginSerialNo: fromSerialNo, maxResults: recordsAtOnce })
  }

  async lastSerialNo(): Promise<number> {
    const [last] = await this.#events({ timeReverseOrder: true, maxResults: 1 })
    return Number(last?.serialNo ?? 0)
  }

  async #events(condition: JsonObject): Promise<readonly JsonObject[]> {
    const AcsEventCond = { searchID: '1', searchResultPosition: 0, major: 0, minor: 0, ...condition }
    const path = `/ISAPI/AccessControl/AcsEvent${json}`
    const { json: answer } = await this.#client.ask({ method: 'POST', path, json: { AcsEventCond } })
    const { InfoList } = isObject(answer.AcsEvent) ? answer.AcsEvent : {}
    return Array.isArray(InfoList) ? InfoList.filter(isObject) : []
  }

  /** Downloads the picture of a record. */
  async picture(url: string): Promise<Buffer> {
    const { pathname, search } = new URL(url, 'http://controller')
    return (await this.#client.ask({ method: 'GET', path: `${pathname}${search}` })).bytes
  }

  /** Waits until somebody puts a card on the reader. */
  async readCard(timeoutMs: number, signal: AbortSignal): Promise<string> {
    const path = `/ISAPI/AccessControl/CaptureCardInfo${json}`
    const { json: answer } = await this.#client.ask({ method: 'GET', path, timeoutMs, signal })
    const { cardNo } = isObject(answer.CardInfo) ? answer.CardInfo : {}
    if (typeof cardNo !== 'string' || cardNo === '') throw new DriverFailure('未读到卡，请重试')
    return cardNo
  }

  async #put(path: string, body: JsonObject): Promise<void> {
    await this.#client.ask({ method: 'PUT', path: `${path}${json}`, json: body })
  }

  async #putXml(path: string, xml: string, signal?: AbortSignal): Promise<void> {
    await this.#client.ask({ method: 'PUT', path, xml, ...(signal && { signal }) })
  }
}

const templateOf = (no: number): JsonObject => ({
  enable: true,
  templateName: `plan${no}`,
  weekPlanNo: no,
  holidayGroupNo: '',
})
