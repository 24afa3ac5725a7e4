import { addDays, type Day } from '#kit/domain/day.ts'
import { startOfDay, toInstant } from '#kit/domain/moment.ts'

/** The projects that somebody may work in; `null` is a whole one. */
interface DataDomain {
  readonly all: boolean
  readonly projects: ReadonlyMap<string, ReadonlySet<string> | null>
}

interface Granter {
  readonly domain: DataDomain
  readonly canSeePersonalData: boolean
}

export interface KeyGrant {
  readonly allProject: boolean
  readonly projectCodes?: readonly string[] | undefined
  readonly showPrivacy: boolean
  readonly expireDate?: Day | undefined
}

interface GrantFault {
  readonly Field: string
  readonly Message: string
}

/** What is wrong with a key that `granter` makes or changes: it may reach no further (API-1). */
export function keyGrantFaults(grant: KeyGrant, granter: Granter, today: Day): GrantFault[] {
  const { domain } = granter
  const projects = grant.projectCodes ?? []
  const partial = projects.filter(code => !domain.all && domain.projects.get(code) !== null)
  const faults: (readonly [isWrong: boolean, field: string, message: string])[] = [
    [grant.allProject && !domain.all, 'AllProject', '你没有全部项目的数据范围，请选择项目'],
    [!grant.allProject && !projects.length, 'Projectcodes', '请选择项目，或开启「全部项目」'],
    [!grant.allProject && partial.length > 0, 'Projectcodes', '只能选择你可以查看整个项目的项目'],
    [
      grant.showPrivacy && !granter.canSeePersonalData,
      'ShowPrivacy',
      '你不能查看完整手机号、证件号，因此也不能授予密钥',
    ],
    [grant.expireDate !== undefined && grant.expireDate < today, 'ExpireDate', '有效期不能早于今天'],
  ]
  return faults.filter(([isWrong]) => isWrong).map(([, Field, Message]) => ({ Field, Message }))
}

/** Milliseconds since 1970 from which a key is no longer valid: the end of its last day in Shanghai. */
export const keyExpiryOf = (expireDate: Day | undefined): number =>
  expireDate === undefined ? Infinity : toInstant(startOfDay(addDays(expireDate, 1)))
