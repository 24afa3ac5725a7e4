import { Refused, resultCode } from '#kit/contract/wire.ts'
import type { Caller } from '#kit/server/scope.ts'

/** What is kept of a person stands in all projects: a part of it would be a wrong answer. */
export function requireWholeDomain(caller: Pick<Caller, 'domain'>): void {
  if (!caller.domain.all)
    throw new Refused(resultCode.forbidden, '只有数据范围为全部项目的账号才能办理个人信息的查询与删除')
}
