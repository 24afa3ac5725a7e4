import type { FieldFault } from '#kit/contract/wire.ts'
import { compare } from '#kit/domain/decimal.ts'
import type { VisitorSetting } from '../contract/setting.ts'
import type { VisitRecord } from '../contract/visit-record.ts'

type GatehouseSetting = Pick<VisitorSetting, 'asksPhoto' | 'asksTemperature' | 'maxTemperature'>

export type EntryFacts = Partial<
  Pick<VisitRecord, 'certType' | 'certNo' | 'plateNo' | 'checkPhoto' | 'temperature' | 'personCount'>
>

export interface EntryRequirement {
  readonly setting: GatehouseSetting
  readonly needsCert: boolean
  /** The rule asks for a face, and none is known yet. */
  readonly needsFace?: boolean | undefined
  readonly refusesCar?: boolean | undefined
  /** Of an invitation: how many people may come with this code. */
  readonly invitedCount?: number | undefined
}

function temperatureFault(
  temperature: string | undefined,
  { asksTemperature, maxTemperature }: GatehouseSetting,
): string | undefined {
  if (temperature === undefined) return asksTemperature ? '请测量体温' : undefined
  return compare(temperature, maxTemperature) >= 0
    ? `体温 ${temperature} ℃，达到上限 ${maxTemperature} ℃，不予放行`
    : undefined
}

const countFault = (count: number | undefined, invited: number | undefined): string | undefined =>
  count !== undefined && invited !== undefined && count > invited
    ? `该邀请码还可进入 ${invited} 人，超出的请由被访人另行邀请`
    : undefined

function photoFault({ checkPhoto }: EntryFacts, { setting, needsFace = false }: EntryRequirement) {
  if (checkPhoto) return undefined
  if (needsFace) return '该来访须登记人脸，请拍摄核验照片'
  return setting.asksPhoto ? '请拍摄核验照片' : undefined
}

/** VIS-5: what is missing or wrong before somebody is let in. */
export function entryFaults(facts: EntryFacts, requirement: EntryRequirement): FieldFault[] {
  const { setting, needsCert, refusesCar = false, invitedCount } = requirement
  return [
    {
      Field: 'CertNo',
      Message: needsCert && !facts.certNo ? '该来访须登记证件，请填写证件号' : undefined,
    },
    {
      Field: 'PlateNo',
      Message: refusesCar && facts.plateNo ? '该来访不允许车辆，请清除车牌' : undefined,
    },
    { Field: 'CheckPhoto', Message: photoFault(facts, requirement) },
    { Field: 'Temperature', Message: temperatureFault(facts.temperature, setting) },
    { Field: 'PersonCount', Message: countFault(facts.personCount, invitedCount) },
  ].flatMap(({ Field, Message }) => (Message === undefined ? [] : [{ Field, Message }]))
}

interface Companion {
  /** How many came with their code; none yet. */
  readonly personCount?: number | undefined
}

/** VIS-1: how many of a group may come with one code: each of the others is somebody as well. */
export const countLimit = (invitedCount: number, others: readonly Companion[]): number =>
  Math.max(1, invitedCount - others.reduce((sum, { personCount = 1 }) => sum + personCount, 0))

/** How many come with one code where nobody counts them. */
export const expectedCount = (invitedCount: number, others: readonly Companion[]): number =>
  others.length ? 1 : invitedCount
