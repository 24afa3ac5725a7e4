import type { FieldFault } from '#kit/contract/wire.ts'
import { audienceFaults, type Audience } from '#modules/messaging/contract/audience.ts'
import type { NoticeChannel } from '../contract/choices.ts'

/** What anybody in a lobby may read: places alone, nobody by a tag or by what they owe. */
const placeScopes = new Set(['all', 'projects', 'buildings', 'units'])

const isNarrowed = ({ scopeJson }: Audience): boolean =>
  Boolean(scopeJson?.relations?.length) ||
  scopeJson?.arrearsAmount !== undefined ||
  scopeJson?.arrearsMonths !== undefined

/** Whether it is for everybody who lives at its places, also those who come to live there later. */
export const isOfPlaces = (audience: Audience): boolean =>
  (placeScopes.has(audience.scopeType) || audience.scopeType === 'rooms') && !isNarrowed(audience)

interface Draft extends Audience {
  readonly channels: readonly NoticeChannel[]
  readonly smsText?: string | undefined
}

const needsText = (channels: readonly NoticeChannel[]): boolean =>
  channels.includes('sms') || channels.includes('wechat')

/** What is wrong with whom a notice is for, and how it reaches them. */
export function draftAudienceFaults(draft: Draft): FieldFault[] {
  const { scopeType, channels, smsText } = draft
  if (scopeType === 'numbers' || scopeType === 'persons')
    return [{ Field: 'ScopeType', Message: '公告面向范围发布；发给指定人员请使用住户通知、员工通知或短信' }]
  const faults = audienceFaults(draft)
  if (channels.includes('screen') && (!placeScopes.has(scopeType) || isNarrowed(draft))) {
    faults.push({
      Field: 'Channels',
      Message: '信息屏公开显示，发送范围只能是全部、项目、楼栋或单元，且不按关系与欠费筛选',
    })
  }
  if (scopeType === 'departments' && channels.includes('app')) {
    faults.push({ Field: 'Channels', Message: '员工不使用住户页，请选择微信或短信，或发布内部公告' })
  }
  if (needsText(channels) && !smsText) {
    faults.push({ Field: 'SmsText', Message: '渠道含短信或微信，请填写短信与微信文字' })
  }
  return faults
}

const firstPart = (key: string): string => key.split('/')[0] ?? ''
const distinct = (values: readonly string[]): readonly string[] => [...new Set(values)]

/** The projects that a choice of places names; nothing where it names none. */
export function namedProjects({ scopeType, scopeJson = {} }: Audience): readonly string[] | undefined {
  if (scopeType === 'projects') return scopeJson.projectCodes ?? []
  if (scopeType === 'buildings') return distinct((scopeJson.buildingCodes ?? []).map(firstPart))
  if (scopeType === 'units') return distinct((scopeJson.units ?? []).map(firstPart))
  return undefined
}

/** The buildings that a choice of places names, as project and building. */
export function namedBuildings({
  scopeType,
  scopeJson = {},
}: Audience): readonly (readonly [project: string, building: string])[] {
  const keys =
    scopeType === 'buildings' ? scopeJson.buildingCodes : scopeType === 'units' ? scopeJson.units : []
  return (keys ?? []).map(key => {
    const [project = '', building = ''] = key.split('/')
    return [project, building]
  })
}
